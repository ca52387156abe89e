import Cryptography

/// The public key of an open platform, to which callers seal their own keys.
///
/// It is no secret: the platform publishes it, and each caller's app contains it.
public struct PlatformKey: Sendable, Hashable {
  /// The id, which tells the platform its private key: 1 to 128 visible ASCII characters except commas.
  public let id: String
  /// The 32 bytes of the X25519 public key (RFC 7748).
  public let publicKey: [UInt8]

  /// Creates a key.
  ///
  /// - Throws: ``SealedKeyError`` if the id or the length of the key is invalid.
  public init(id: String, publicKey: [UInt8]) throws(SealedKeyError) {
    guard SigningKey.isValid(id: id) else { throw SealedKeyError(.illegalID) }
    guard publicKey.count == KeyAgreement.keySize else { throw SealedKeyError(.keyLength(publicKey.count)) }
    self.id = id
    self.publicKey = publicKey
  }
}

extension PlatformKey: CustomStringConvertible {
  /// The id.
  public var description: String { "PlatformKey(\(id))" }
}
