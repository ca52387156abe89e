import Cryptography
public import Interception

/// The private key of an open platform, with which it opens the callers' keys; no text or mirror reveals it.
public struct PlatformPrivateKey: Sendable {
  /// The public key, for the callers.
  public let publicKey: PlatformKey
  let agreement: KeyAgreement

  /// Creates a key from 32 random bytes.
  ///
  /// - Throws: ``SealedKeyError`` if the id or the length of the key is invalid, or the cryptographic
  ///   library fails.
  public init(id: String, privateKey: [UInt8]) throws(SealedKeyError) {
    guard privateKey.count == KeyAgreement.keySize else { throw SealedKeyError(.keyLength(privateKey.count)) }
    do throws(CryptographyError) { agreement = try KeyAgreement(privateKey: privateKey) } catch {
      throw SealedKeyError(.cryptography(operation: error.operation))
    }
    publicKey = try PlatformKey(id: id, publicKey: agreement.publicKey)
  }
}

extension PlatformPrivateKey: Concealed, CustomStringConvertible {
  /// The id.
  public var description: String { "PlatformPrivateKey(\(publicKey.id))" }
}
