import Cryptography
import HTTPTypes
import Interception

/// Opens the keys that callers of an open platform send with their requests, sealed to the platform's key.
///
/// A platform with many callers then stores no secrets, only the fingerprints of their keys:
///
/// ```swift
/// let opener = SealedKeyOpener([platformKey])
/// let signed = SignedRequest(request.head, body: body)
/// let claims = try verifier.verify(signed, opening: opener) { keyID in fingerprints[keyID] }
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
    guard let sealed = SealedKey(value) else { throw SealedKeyError(.malformed) }
    guard let key = keys[sealed.platformID] else { throw SealedKeyError(.unknownPlatformKey) }
    let secret: [UInt8]?
    do throws(CryptographyError) { secret = try sealed.open(with: key, for: canonical.bytes()) } catch {
      throw SealedKeyError(.cryptography(operation: error.operation))
    }
    guard let secret else { throw SealedKeyError(.mismatch) }
    do throws(SigningKeyError) { return try SigningKey(id: id, secret: secret) } catch {
      throw SealedKeyError(.malformed)
    }
  }
}

/// The secret of a caller, encrypted to a platform for one request.
///
/// An ephemeral X25519 key and the platform's one give a shared secret (RFC 7748), from which HKDF-SHA256
/// (RFC 5869) derives the key and the nonce of AES-256-GCM. The canonical bytes of the request are its
/// associated data, so a sealed key can't be moved to another request.
struct SealedKey: Sendable, Hashable {
  /// The scheme and its version, which changes with anything below.
  static let label = "SWITCHYARD-SEALED-KEY-X25519-HKDF-SHA256-AES-256-GCM-V1"
  /// The maximum length of the field, which bounds the work for a request that isn't authentic.
  static let maximumLength = 16_384

  let platformID: String
  /// The 32 bytes of the ephemeral public key.
  let ephemeralKey: [UInt8]
  /// The encrypted secret and its tag.
  let box: [UInt8]

  /// Encrypts a secret.
  ///
  /// - Parameters:
  ///   - request: The canonical bytes of the request.
  ///   - ephemeralKey: 32 random bytes, which must never be used again.
  init(
    sealing secret: [UInt8], to platform: PlatformKey, for request: [UInt8], ephemeralKey: [UInt8]
  ) throws(CryptographyError) {
    let agreement = try KeyAgreement(privateKey: ephemeralKey)
    platformID = platform.id
    self.ephemeralKey = agreement.publicKey
    let keys = try Keys(
      try agreement.sharedSecret(with: platform.publicKey), ephemeralKey: agreement.publicKey, of: platform)
    box = try keys.cipher.seal(secret, nonce: keys.nonce, authenticating: request)
  }

  /// Parses the value of a field; nil if it is malformed.
  init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.maximumLength, parts.count == 2, SigningKey.isValid(id: String(parts[0])),
      let bytes = Hexadecimal.decode(String(parts[1]), count: parts[1].utf8.count / 2),
      bytes.count > KeyAgreement.keySize + AuthenticatedCipher.tagSize
    else { return nil }
    platformID = String(parts[0])
    ephemeralKey = Array(bytes.prefix(KeyAgreement.keySize))
    box = Array(bytes.dropFirst(KeyAgreement.keySize))
  }

  /// The value of the field: the id of the platform's key, a space, and both parts in hexadecimal digits.
  var text: String { "\(platformID) \(Hexadecimal.encode(ephemeralKey + box))" }

  /// Returns the secret; nil if it was sealed for another request or to another key, or was changed.
  func open(
    with key: PlatformPrivateKey, for request: [UInt8]
  ) throws(CryptographyError) -> [UInt8]? {
    // Keys of a small order are refused, which would make the secret known to everyone.
    guard let shared = try? key.agreement.sharedSecret(with: ephemeralKey) else { return nil }
    let keys = try Keys(shared, ephemeralKey: ephemeralKey, of: key.publicKey)
    return try keys.cipher.open(box, nonce: keys.nonce, authenticating: request)
  }

  /// The key and the nonce derived from a shared secret.
  private struct Keys {
    let cipher: AuthenticatedCipher
    let nonce: [UInt8]

    init(
      _ shared: [UInt8], ephemeralKey: [UInt8], of platform: PlatformKey
    ) throws(CryptographyError) {
      var info = LengthPrefixed()
      info.append(SealedKey.label)
      info.append(platform.id)
      info.append(ephemeralKey)
      info.append(platform.publicKey)
      let derived = try MessageAuthentication.hkdfSHA256(
        secret: shared, info: info.bytes, size: AuthenticatedCipher.keySize + AuthenticatedCipher.nonceSize)
      cipher = try AuthenticatedCipher(key: Array(derived.prefix(AuthenticatedCipher.keySize)))
      nonce = Array(derived.suffix(AuthenticatedCipher.nonceSize))
    }
  }
}
