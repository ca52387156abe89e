import Cryptography
import HTTPTypes
import Interception

extension SignatureVerifier {
  /// Verifies the signature of a request that carries the caller's key, sealed to the platform, and accepts
  /// it once.
  ///
  /// - Parameters:
  ///   - request: The request as received.
  ///   - opener: The platform's private keys.
  ///   - fingerprint: Returns the ``SigningKey/fingerprint()`` that is registered for a key's id, or nil if
  ///     the id is unknown. Without this check a request would be authentic with any key that its sender made
  ///     up.
  /// - Throws: ``SignatureError``; ``SignatureError/sealedKey(_:)`` if the key can't be opened, and
  ///   ``SignatureError/unknownKey`` if it isn't the registered one.
  @discardableResult
  public func verify(
    _ request: SignedRequest, opening opener: SealedKeyOpener, fingerprint: (_ keyID: String) -> String?
  ) throws(SignatureError) -> SignatureClaims {
    let now = time.wallTime()
    let (claims, signature) = try claims(of: request, at: now)
    let canonical = try canonical(request, claims)
    let values = request.headerFields[values: SignatureFields.sealedKey]
    guard let value = values.first else { throw .sealedKey(.missing) }
    guard values.count == 1 else { throw .sealedKey(.malformed) }
    let key: SigningKey
    do throws(SealedKeyError) {
      key = try opener.key(in: value, id: claims.keyID, for: try Self.bytes(of: canonical))
    } catch { throw .sealedKey(error) }
    guard let registered = fingerprint(claims.keyID), try Self.fingerprint(of: key) == registered else {
      throw .unknownKey
    }
    try check(signature, of: canonical, with: key)
    try record(claims, at: now)
    return claims
  }

  private static func bytes(of canonical: CanonicalRequest) throws(SealedKeyError) -> [UInt8] {
    do { return try canonical.bytes() } catch { throw .cryptography(operation: error.operation) }
  }

  private static func fingerprint(of key: SigningKey) throws(SignatureError) -> String {
    do { return try key.fingerprint() } catch { throw .cryptography(operation: error.operation) }
  }
}
