import Cryptography
public import HTTPTypes
public import Interception
// Nonces and their stores are part of this module's interface, and shared with MessageSignatures.
@_exported public import NonceStores
import Synchronization

/// Signs each attempt with its own time and nonce.
///
/// The signature covers method, authority, API, path, parameters, the body before any content coding, and
/// selected header fields; `SignatureFields` lists the fields that are added. A body in a file is read once
/// more, in chunks, to hash it; a body that can be read only once is refused by the pipeline.
///
/// A request is signed when it leaves the device: a response from a cache needs no key, no time and no nonce.
/// A request that a redirect has led to another origin isn't signed, even if a later one leads back, because
/// the other server has chosen its URL.
///
/// If a server refuses with 401 or 403 and its `Date` shows that the local clock is wrong by more than half
/// the verifier's window, the difference is stored for this authority and the request is sent once more.
/// Errors of the interceptor never contain a secret.
public struct SigningInterceptor: Interceptor {
  /// At stage `signing`, after retry and authorization and before the cache.
  public let traits = InterceptorTraits(
    stage: .signing, callsNext: .anyNumber, requestBody: .replayable)

  private let signer: Signer
  private let skew: ClockSkew
  private let time: TimeSource
  /// Signs the request; the same for all requests.
  private let departure: Request.Departure

  /// Creates an interceptor with a source of keys.
  ///
  /// - Parameters:
  ///   - keys: Provides the key for each attempt; ``SigningKeys`` is a fixed one.
  ///   - covering: The header fields that the signature covers if a request has them.
  ///   - platform: The open platform to which the key is sealed and sent with each request; nil for a server
  ///     that knows the key.
  ///   - maximumSkew: The maximum clock difference that is corrected, 24 hours; zero disables the
  ///     correction. A server that lies about its date gets signatures that are valid at that time, for no
  ///     longer than its window.
  ///   - verifierWindow: The window of the servers' verifiers, 5 minutes by default; give a shorter one, so
  ///     that a clock that is wrong by less is corrected as well.
  ///   - time: The clock used for signatures.
  ///   - nonces: Creates a nonce for each signature; random except in tests.
  public init(
    keys: some SigningKeySource, covering: [HTTPField.Name] = RequestSigner.usualFields,
    sealingTo platform: PlatformKey? = nil, maximumSkew: Duration = .seconds(86_400),
    verifierWindow: Duration = .seconds(300), time: TimeSource = .system,
    nonces: (@Sendable () -> Nonce)? = nil
  ) {
    let signer = Signer(
      keys, covering: CoveredFields(covering), sealingTo: platform, time: time,
      nonces: nonces ?? Nonce.drawing())
    self.signer = signer
    self.skew = ClockSkew(limit: max(maximumSkew, .zero), window: max(verifierWindow, .seconds(1)))
    self.time = time
    departure = Request.Departure(signer)
  }

  /// Creates an interceptor that signs every request with one key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - identity: Whose key it is: `.app` if it is the same for every user, so that responses are stored as
  ///     if requests were unsigned. See ``SigningKeys/init(_:accepting:identity:)``.
  ///   - time: The clock used for signatures.
  public init(key: SigningKey, identity: Request.Identity? = nil, time: TimeSource = .system) {
    self.init(keys: SigningKeys(key, identity: identity), time: time)
  }

  /// Signs the request when it leaves the device; if the response shows that the clock was wrong, sends it
  /// once more.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let head = request.head
    let request = unsigned(request, head.headerFields)
    // Another server has chosen the URL.
    guard !request.context.hasLeftOrigin else { return try await next.dispatch(request) }
    guard let authority = head.authority, head.path != nil else {
      throw NetworkError(
        .invalidRequest, "The request has no authority or no path to sign; use an absolute URL.")
    }
    let server = CanonicalAuthority.of(authority)
    let offset = signer.offsets[server]
    let response = try await next.dispatch(request, onDeparture: departure)
    guard let learnt = skew.correction(for: response, offset: offset, now: time.wallTime()) else {
      return response
    }
    signer.offsets.learn(learnt, for: server)
    return try await next.dispatch(request, onDeparture: departure)
  }

  /// Removes existing signature fields, whether set elsewhere or by an earlier signature.
  private func unsigned(_ request: Request, _ fields: HTTPFields) -> Request {
    guard fields.contains(where: { SignatureFields.contains($0.name) }) else { return request }
    var request = request
    for name in SignatureFields.all where request.head.headerFields.contains(name) {
      request.head.headerFields[name] = nil
    }
    return request
  }
}

extension SigningInterceptor: Request.NoticingIdentityProvider {
  package var notice: String? {
    guard signer.keys.identity(for: Request(authority: "localhost", path: "/")) == nil else { return nil }
    return Request.notice(ofKeysFrom: type(of: signer.keys))
  }

  package var presentLogin: Request.Identity? {
    signer.keys.identity(for: Request(authority: "localhost", path: "/"))
  }

  package var namingRemedy: String { Request.remedyForUnnamedHolder }

  /// The identity of the source of keys, or an unknown one.
  public func identity(for request: Request) -> Request.Identity? {
    request.context.hasLeftOrigin ? nil : signer.identity(for: request)
  }
}

/// Signs requests that leave the device.
private final class Signer: Request.DepartureHandler {
  let keys: any SigningKeySource
  /// Signs with the key that never changes, if the source has one, without an asynchronous call to it.
  private let fixed: RequestSigner?
  private let covered: CoveredFields
  private let platform: PlatformKey?
  private let time: TimeSource
  private let makeNonce: @Sendable () -> Nonce
  private let fieldCache = SignatureFieldCache()
  let offsets = ClockOffsets()

  init(
    _ keys: some SigningKeySource, covering covered: CoveredFields, sealingTo platform: PlatformKey?,
    time: TimeSource, nonces: @escaping @Sendable () -> Nonce
  ) {
    self.keys = keys
    fixed = (keys as? SigningKeys).map {
      RequestSigner(key: $0.current, covered: covered, platform: platform)
    }
    self.covered = covered
    self.platform = platform
    self.time = time
    makeNonce = nonces
  }

  /// Identifies this interceptor's logins in a request's identity.
  private let number = Request.Identity.newNumber()

  func identity(for request: Request) -> Request.Identity {
    let identity = keys.identity(for: request) ?? .unknown
    return fixed == nil ? identity.provided(by: number) : identity
  }

  /// Signs a request whose key never changes and whose body is in memory.
  func completeWithoutSuspending(_ request: inout Request) throws -> Bool {
    guard let fixed, let bytes = request.body.bytes else { return false }
    try sign(&request, with: fixed, digest: try Self.digest(of: bytes))
    return true
  }

  func complete(_ request: inout Request) async throws {
    guard let signer = try await signer(for: request) else { return }
    let digest: [UInt8]
    if let bytes = request.body.bytes {
      digest = try Self.digest(of: bytes)
    } else {
      do { digest = try await request.body.sha256() } catch let error as CryptographyError {
        throw SigningError(error)
      }
    }
    try sign(&request, with: signer, digest: digest)
  }

  private static func digest(of bytes: [UInt8]) throws(SigningError) -> [UInt8] {
    do throws(CryptographyError) { return try Digest.sha256(bytes) } catch { throw SigningError(error) }
  }

  private func sign(
    _ request: inout Request, with signer: RequestSigner, digest: [UInt8]
  ) throws(SigningError) {
    guard let authority = request.head.authority else { return }
    let server = CanonicalAuthority.of(authority)
    let offset = offsets[server]
    let now = offset == .zero ? time.wallTime() : time.wallTime().advanced(by: offset)
    try signer.sign(
      &request.head, to: server, api: request.api.map(fieldCache.api), bodyDigest: digest, at: now,
      timeField: fieldCache.time(now), nonce: makeNonce())
  }

  private func signer(for request: Request) async throws -> RequestSigner? {
    if let fixed { return fixed }
    return try await key(for: request).map {
      RequestSigner(key: $0, covered: covered, platform: platform)
    }
  }

  private func key(for request: Request) async throws -> SigningKey? {
    do {
      return try await request.withUnchangedLogin(of: number, present: { identity(for: request) }) {
        try await keys.signingKey(for: request)
      }
    } catch {
      if error is NetworkError || error is CancellationError { throw error }
      throw NetworkError(foreign: error, from: "The source of signing keys")
    }
  }
}

extension RequestBody {
  /// Returns the SHA-256 of the content, read in chunks if it isn't in memory.
  func sha256() async throws -> [UInt8] {
    if let bytes { return try Digest.sha256(bytes) }
    var digest = try Digest()
    try await read { try digest.update($0) }
    return try digest.value().bytes
  }
}

/// The offsets between the local clock and the clocks of servers, as learned from refusals.
///
/// Each authority has its own, so that a server with a wrong clock doesn't affect signatures for others.
final class ClockOffsets: Sendable {
  /// The maximum number of authorities remembered; an app has few.
  static let capacity = 64

  private let offsets = Mutex<[String: Duration]>([:])
  // Usually none is known, and then a request needs neither the lock nor a hash of its authority.
  private let isAnyKnown = Atomic(false)

  /// The offset to add to the local clock for an authority.
  subscript(authority: String) -> Duration {
    guard isAnyKnown.load(ordering: .acquiring) else { return .zero }
    return offsets.withLock { $0[authority] ?? .zero }
  }

  /// Stores an offset; beyond the capacity another authority's offset is evicted, and learned again if
  /// needed.
  func learn(_ offset: Duration, for authority: String) {
    offsets.withLock { offsets in
      if offsets[authority] == nil, offsets.count >= Self.capacity, let other = offsets.keys.first {
        offsets[other] = nil
      }
      offsets[authority] = offset
    }
    isAnyKnown.store(true, ordering: .releasing)
  }
}

/// Decides from the `Date` of a refusal whether the local clock is wrong, and by how much.
struct ClockSkew: Sendable {
  /// The maximum offset that is accepted; zero disables the correction.
  let limit: Duration
  /// The maximum skew that can't be the reason for a refusal: half the verifier's window.
  let tolerance: Duration

  init(limit: Duration, window: Duration = .seconds(300)) {
    self.limit = limit
    tolerance = window / 2
  }

  /// Returns the offset to sign with from now on, or nil if the refusal has other reasons.
  ///
  /// - Parameters:
  ///   - offset: The offset that was added to the local clock for the refused request.
  ///   - now: The local time at which the response arrived.
  func correction(for response: Response, offset: Duration, now: @autoclosure () -> WallTime)
    -> Duration?
  {
    let code = response.status.code
    guard code == 401 || code == 403,
      // The date of a stored response is the time at which it was stored.
      response.cacheStatus?.isHit != true,
      response.head.headerFields.members(of: .age).first.map({ $0 == "0" }) ?? true,
      let stated = response.head.headerFields.singleValue(.date)
    else { return nil }
    let now = now()
    guard let date = HTTPDate.parse(stated, now: now) else { return nil }
    let learnt = now.duration(to: date)
    let change = learnt - offset
    guard Self.magnitude(change) > tolerance, Self.magnitude(learnt) <= limit else { return nil }
    return learnt
  }

  private static func magnitude(_ duration: Duration) -> Duration {
    duration < .zero ? .zero - duration : duration
  }
}
