public import HTTPTypes
public import Interception

/// Signs each attempt with a time and a nonce of its own.
///
/// The signature covers method, authority, API, path, parameters, the body before it is coded, and chosen
/// header fields; ``SignatureFields`` names what is added. A body on disk is read once more to be hashed,
/// chunk by chunk; one that can be read only once is refused by the pipeline.
///
/// When a server refuses with 401 or 403 and its `Date` shows that the local clock is wrong by more than two
/// and a half minutes, the difference is remembered for this authority and the request is sent once more. No
/// error of the interceptor shows a secret.
public struct SigningInterceptor: Interceptor {
  /// The place after retry and authorization, before the cache.
  public let traits = InterceptorTraits(
    stage: .signing, callsNext: .anyNumber, requestBody: .replayable)

  private let keys: any SigningKeySource
  /// The key that signs, where it never changes: nobody need be asked for it.
  private let fixedKey: SigningKey?
  private let covered: CoveredFields
  private let skew: ClockSkew
  private let time: TimeSource
  private let makeNonce: @Sendable () -> Nonce
  private let offsets = LearntOffsets()
  private let written = WrittenFields()

  /// Makes an interceptor over a source of keys.
  ///
  /// - Parameters:
  ///   - keys: Hands out the key at each attempt; ``SigningKeys`` is a fixed one.
  ///   - covering: The header fields that the signature covers where a request has them.
  ///   - greatestSkew: The largest difference of clocks that is believed, 24 hours; zero turns learning off.
  ///     A server that lies about its date gets signatures that are good at that time, and no longer than its
  ///     window.
  ///   - time: The clock of the signatures.
  ///   - nonces: Makes a nonce for each signature; random ones but in tests.
  public init(
    keys: some SigningKeySource, covering: [HTTPField.Name] = RequestSigner.usualFields,
    greatestSkew: Duration = .seconds(86_400), time: TimeSource = .system,
    nonces: @escaping @Sendable () -> Nonce = Nonce.drawing()
  ) {
    self.keys = keys
    fixedKey = (keys as? SigningKeys)?.current
    covered = CoveredFields(covering)
    self.skew = ClockSkew(limit: max(greatestSkew, .zero))
    self.time = time
    self.makeNonce = nonces
  }

  /// Makes an interceptor that signs everything with one key.
  public init(key: SigningKey, time: TimeSource = .system) {
    self.init(keys: SigningKeys(key), time: time)
  }

  /// Signs the request, and once more where the answer shows that the clock was wrong.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let key: SigningKey?
    if let fixedKey { key = fixedKey } else { key = try await self.key(for: request) }
    guard let key else { return try await next.dispatch(unsigned(request)) }
    let head = request.head
    guard let authority = head.authority, head.path != nil else {
      throw NetworkError(
        .invalidRequest, "The request has no authority or no path to sign; give it a whole URL.")
    }
    let digest: [UInt8]
    if let bytes = request.body.bytes {
      digest = try Digest.sha256(bytes)
    } else {
      digest = try await request.body.sha256()
    }
    let server = CanonicalAuthority.of(authority)
    let offset = offsets[server]
    let response = try await next.dispatch(signed(request, to: server, by: key, digest, offset: offset))
    guard let learnt = skew.correction(for: response, offset: offset, now: time.wallTime()) else {
      return response
    }
    offsets.learn(learnt, for: server)
    return try await next.dispatch(signed(request, to: server, by: key, digest, offset: learnt))
  }

  private func key(for request: Request) async throws -> SigningKey? {
    do {
      return try await keys.signingKey(for: request)
    } catch let error as NetworkError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      // The text of a foreign error may quote what it read, so it stays out of the sentence.
      throw NetworkError(
        .rejected,
        "The source of signing keys failed with \(type(of: error)); look at its `underlying` error.",
        underlying: error)
    }
  }

  private func signed(
    _ request: Request, to server: String, by key: SigningKey, _ digest: [UInt8], offset: Duration
  ) throws(CryptographyFailure) -> Request {
    var request = unsigned(request)
    let head = request.head
    let now = offset == .zero ? time.wallTime() : time.wallTime().advanced(by: offset)
    try RequestSigner(key: key, covered: covered).sign(
      head, to: server, api: request.context.api.map(written.api), bodyDigest: digest, at: now,
      written: written.time(now), nonce: makeNonce(), into: &request.head.headerFields)
    return request
  }

  /// Takes off what somebody else, or a former signature, left under the names of a signature.
  private func unsigned(_ request: Request) -> Request {
    guard request.head.headerFields.contains(where: { SignatureFields.contains($0.name) }) else {
      return request
    }
    var request = request
    for name in SignatureFields.all where request.head.headerFields.contains(name) {
      request.head.headerFields[name] = nil
    }
    return request
  }
}
