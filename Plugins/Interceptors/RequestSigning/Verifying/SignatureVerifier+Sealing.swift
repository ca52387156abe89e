import Cryptography
import HTTPTypes
import Interception

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
  /// - Throws: ``SealedKeyError`` if the key can't be opened; ``SealedKeyError/signature(_:)`` if the
  ///   signature is refused, with ``SignatureError/unknownKey`` if the key isn't the registered one.
  @discardableResult
  public func verify(
    _ request: SignedRequest, opening opener: SealedKeyOpener, fingerprint: (_ keyID: String) -> String?
  ) throws(SealedKeyError) -> SignatureClaims {
    let now = time.wallTime()
    let claims = try authenticate(request, opening: opener, at: now, fingerprint: fingerprint)
    do throws(SignatureError) { try record(claims, at: now) } catch { throw .signature(error) }
    return claims
  }

  /// Verifies everything except whether the nonce was used before.
  func authenticate(
    _ request: SignedRequest, opening opener: SealedKeyOpener, at now: WallTime,
    fingerprint: (_ keyID: String) -> String?
  ) throws(SealedKeyError) -> SignatureClaims {
    let values = request.headerFields[values: SignatureFields.sealedKey]
    guard let value = values.first else { throw .missing }
    guard values.count == 1 else { throw .malformed }
    let (claims, canonical, signature) = try read(request, at: now)
    let key = try opener.key(in: value, id: claims.keyID, for: canonical)
    do throws(SignatureError) {
      guard let registered = fingerprint(claims.keyID), try Self.fingerprint(of: key) == registered else {
        throw .unknownKey
      }
      try check(signature, of: canonical, with: key)
    } catch { throw .signature(error) }
    return claims
  }

  private func read(
    _ request: SignedRequest, at now: WallTime
  ) throws(SealedKeyError) -> (SignatureClaims, CanonicalRequest, signature: [UInt8]) {
    do throws(SignatureError) {
      let (claims, signature) = try claims(of: request, at: now)
      return (claims, try canonical(request, claims), signature)
    } catch { throw .signature(error) }
  }

  private static func fingerprint(of key: SigningKey) throws(SignatureError) -> String {
    do { return try key.fingerprint() } catch { throw .cryptography(operation: error.operation) }
  }
}
