import Cryptography
public import HTTPTypes
public import Interception
import NonceStores

/// Verifies signatures on the server: fields, time, key, signature and nonce, in this order.
///
/// One verifier serves all threads of a process; copies share its nonces. Only nonces of valid signatures are
/// remembered, so a client without a key can't fill the memory.
///
/// ```swift
/// let verifier = SignatureVerifier(keys: SigningKeys(newKey, accepting: [oldKey]))
/// let claims = try verifier.verify(SignedRequest(request.head, body: body))
/// ```
///
/// A request that is refused for its time is not remembered. One that was signed with a fast clock is valid
/// later, once, also if another client sends it: give requests that must not have two effects a key by which
/// the API recognizes them, such as `Idempotency-Key`.
///
/// Behind a load balancer a replay may reach another process, which doesn't know the nonce. There, use
/// ``SharedSignatureVerifier``, whose nonces are in a store that all processes share.
public struct SignatureVerifier: Sendable {
  let keys: any VerificationKeySource
  let window: Duration
  private let requiredFields: [HTTPField.Name]
  private let nonceCapacity: Int
  private let nonces: NonceRecord
  let time: TimeSource

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - keys: The keys that are accepted.
  ///   - window: The maximum clock difference in either direction: 5 minutes by default, at most a day. Give
  ///     a shorter one to the clients' ``SigningInterceptor``, too, so that they correct their clocks.
  ///   - requiredFields: The header fields that a signature must cover if a request has them; those that
  ///     override the method are always among them.
  ///   - nonceCapacity: The maximum number of nonces remembered, about 130 bytes each. They are kept for up
  ///     to twice the window, so the default of 262,144 is enough for 436 requests per second; beyond it
  ///     requests are refused.
  ///   - start: The time since which the nonces are complete, that of creation by default: a request that may
  ///     have been accepted before is refused with 503. A client's clock may be fast by the window, so by
  ///     default all requests are refused for one window. If no process accepted requests before, give an
  ///     earlier time; otherwise choose a short window, or keep the nonces in a file with
  ///     ``SharedSignatureVerifier``.
  ///   - time: The server's clock.
  public init(
    keys: some VerificationKeySource, window: Duration = .seconds(300),
    requiring requiredFields: [HTTPField.Name] = RequestSigner.usualFields, nonceCapacity: Int = 1 << 18,
    start: WallTime? = nil,
    time: TimeSource = .system
  ) {
    self.keys = keys
    self.window = min(max(window, .seconds(1)), .seconds(86_400))
    self.requiredFields = requiredFields
    self.nonceCapacity = nonceCapacity
    self.time = time
    let (seconds, rest) = self.window.components
    nonces = NonceRecord(
      NonceLedger(
        window: seconds + (rest > 0 ? 1 : 0), capacity: nonceCapacity,
        start: start ?? time.wallTime(), lead: self.window))
  }

  /// The number of nonces currently remembered.
  package var nonceCount: Int { nonces.count }

  /// Verifies a request's signature, and accepts it once.
  ///
  /// - Throws: ``SignatureError``; for a repeated request, ``SignatureError/replayedNonce``.
  @discardableResult
  public func verify(_ request: SignedRequest) throws(SignatureError) -> SignatureClaims {
    let now = time.wallTime()
    let claims = try authenticate(request, at: now)
    try record(claims, at: now)
    return claims
  }

  /// Records the nonce of a valid signature; throws if it was used before.
  func record(_ claims: SignatureClaims, at now: WallTime) throws(SignatureError) {
    let verdict = nonces.record(
      claims.nonce, keyID: claims.keyID, signedAt: claims.time.seconds, now: now.seconds)
    switch verdict {
    case .accepted: return
    case .replayed: throw .replayedNonce
    case .forgotten:
      throw .unavailableNonces(
        NonceStoreError(
          .forgotten,
          "It may have been accepted before the verifier's start, or the clock was set back; sign it again "
            + "after one window, or keep the nonces in a file."
        ))
    case .full: throw .tooManyNonces(limit: nonceCapacity)
    }
  }

  /// Verifies everything except whether the nonce was used before.
  ///
  /// Use it only if replays are harmless, or if another store remembers nonces, per key and for twice the
  /// window.
  public func authenticate(_ request: SignedRequest) throws(SignatureError) -> SignatureClaims {
    try authenticate(request, at: time.wallTime())
  }

  func authenticate(
    _ request: SignedRequest, at now: WallTime
  ) throws(SignatureError) -> SignatureClaims {
    let (claims, signature) = try claims(of: request, at: now)
    guard let key = keys.verificationKey(id: claims.keyID) else { throw .unknownKey }
    try check(signature, of: try canonical(request, claims), with: key)
    return claims
  }

  /// Reads a signature and checks its time and coverage.
  func claims(
    of request: SignedRequest, at now: WallTime
  ) throws(SignatureError) -> (SignatureClaims, signature: [UInt8]) {
    let (claims, signature) = try SignatureClaims.read(from: request.headerFields)
    let skew = claims.time.duration(to: now)
    guard skew <= window, skew >= .zero - window else { throw .staleTimestamp(skew: skew) }
    for name in requiredFields where request.headerFields.contains(name) {
      guard claims.coveredFields.contains(name) else { throw .uncovered(name) }
    }
    if let name = CoveredFields.uncoveredOverride(in: request.headerFields, covered: claims.coveredFields) {
      throw .uncovered(name)
    }
    for name in claims.coveredFields where !request.headerFields.contains(name) { throw .missing(name) }
    return (claims, signature)
  }

  /// Returns the content that a signature with these claims covers.
  func canonical(
    _ request: SignedRequest, _ claims: SignatureClaims
  ) throws(SignatureError) -> CanonicalRequest {
    let digest: [UInt8]
    do throws(CryptographyError) { digest = try request.bodyDigest() } catch {
      throw .cryptography(operation: error.operation)
    }
    return CanonicalRequest(
      keyID: claims.keyID, time: claims.time.seconds, nonce: claims.nonce, method: request.method,
      authority: CanonicalAuthority.of(request.authority), api: CanonicalAPI.encode(claims.api),
      path: request.path, bodyDigest: digest,
      coveredNames: claims.coveredFields.map(\.canonicalName).joined(separator: " "),
      coveredValues: claims.coveredFields.map { FieldText(request.headerFields.bytes(of: $0) ?? []) })
  }

  /// Throws unless a signature belongs to a request and a key.
  func check(
    _ signature: [UInt8], of canonical: CanonicalRequest, with key: SigningKey
  ) throws(SignatureError) {
    let expected: [UInt8]
    do throws(CryptographyError) { expected = try canonical.signature(with: key).bytes } catch {
      throw .cryptography(operation: error.operation)
    }
    guard MessageAuthentication.areEqual(expected, signature) else { throw .mismatch }
  }
}

extension SignatureVerifier {
  /// Verifies the signature of a request that carries the caller's key, sealed to the platform, and accepts
  /// it once in this process; the servers of a fleet use ``SharedSignatureVerifier``.
  ///
  /// - Parameters:
  ///   - request: The request as received.
  ///   - opener: The platform's private keys.
  ///   - fingerprint: Returns the ``SigningKey/fingerprint()`` that is registered for a key's id, or nil if
  ///     the id is unknown. Without this check a request would be authentic with any key that its sender made
  ///     up.
  /// - Throws: ``SealedKeyError`` if the key can't be opened, is not the registered one, or the signature is
  ///   refused.
  @discardableResult
  public func verify(
    _ request: SignedRequest, opening opener: SealedKeyOpener, fingerprint: (_ keyID: String) -> String?
  ) throws(SealedKeyError) -> SignatureClaims {
    let now = time.wallTime()
    let claims = try authenticate(request, opening: opener, at: now, fingerprint: fingerprint)
    do throws(SignatureError) { try record(claims, at: now) } catch {
      throw SealedKeyError(.signature(error))
    }
    return claims
  }

  /// Verifies everything except whether the nonce was used before.
  func authenticate(
    _ request: SignedRequest, opening opener: SealedKeyOpener, at now: WallTime,
    fingerprint: (_ keyID: String) -> String?
  ) throws(SealedKeyError) -> SignatureClaims {
    let values = request.headerFields[values: SignatureFields.sealedKey]
    guard let value = values.first else { throw SealedKeyError(.missing) }
    guard values.count == 1 else { throw SealedKeyError(.malformed) }
    let (claims, canonical, signature) = try read(request, at: now)
    let key = try opener.key(in: value, id: claims.keyID, for: canonical)
    do throws(SignatureError) {
      guard let registered = fingerprint(claims.keyID), try Self.fingerprint(of: key) == registered else {
        throw .unknownKey
      }
      try check(signature, of: canonical, with: key)
    } catch { throw SealedKeyError(.signature(error)) }
    return claims
  }

  private func read(
    _ request: SignedRequest, at now: WallTime
  ) throws(SealedKeyError) -> (SignatureClaims, CanonicalRequest, signature: [UInt8]) {
    do throws(SignatureError) {
      let (claims, signature) = try claims(of: request, at: now)
      return (claims, try canonical(request, claims), signature)
    } catch { throw SealedKeyError(.signature(error)) }
  }

  private static func fingerprint(of key: SigningKey) throws(SignatureError) -> String {
    do { return try key.fingerprint() } catch { throw .cryptography(operation: error.operation) }
  }
}
