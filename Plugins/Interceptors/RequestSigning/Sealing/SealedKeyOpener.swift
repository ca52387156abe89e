import Cryptography

/// Opens the keys that callers of an open platform send with their requests, sealed to the platform's key.
///
/// A platform with many callers then stores no secrets, only the fingerprints of their keys:
///
/// ```swift
/// let opener = SealedKeyOpener([platformKey])
/// let claims = try verifier.verify(request, opening: opener) { keyID in fingerprints[keyID] }
/// ```
public struct SealedKeyOpener: Sendable {
  private let keys: [String: PlatformPrivateKey]

  /// Creates an opener with the platform's keys; during a rotation, pass both the old and the new one.
  public init(_ keys: [PlatformPrivateKey]) {
    self.keys = Dictionary(
      keys.map { ($0.publicKey.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the key that a request carries.
  ///
  /// - Parameters:
  ///   - value: The value of the request's field.
  ///   - id: The id that the caller states for its key.
  ///   - canonical: The content of the request's signature, to which the key is bound.
  func key(
    in value: String, id: String, for canonical: CanonicalRequest
  ) throws(SealedKeyError) -> SigningKey {
    guard let sealed = SealedKey(value) else { throw .malformed }
    guard let key = keys[sealed.platformID] else { throw .unknownPlatformKey }
    let secret: [UInt8]?
    do throws(CryptographyError) { secret = try sealed.open(with: key, for: canonical.bytes()) } catch {
      throw .cryptography(operation: error.operation)
    }
    guard let secret else { throw .mismatch }
    do throws(SigningKeyError) { return try SigningKey(id: id, secret: secret) } catch { throw .malformed }
  }
}
