import COpenSSL

/// X25519 (RFC 7748): two parties derive the same secret from their own private key and the other's public
/// one.
package struct KeyAgreement: Sendable {
  /// The length of a private key, a public key and a shared secret in bytes.
  package static let keySize = 32

  /// The public key, which the other party needs.
  package let publicKey: [UInt8]
  private let key: AsymmetricKey

  /// Creates a private key from 32 random bytes.
  ///
  /// - Throws: ``CryptographyError``, also for another number of bytes.
  package init(privateKey: [UInt8]) throws(CryptographyError) {
    guard privateKey.count == Self.keySize,
      let key = EVP_PKEY_new_raw_private_key_ex(nil, "X25519", nil, privateKey, privateKey.count)
    else { throw Self.failure }
    self.key = AsymmetricKey(owning: key, isPrivate: true)
    var publicKey = [UInt8](repeating: 0, count: Self.keySize)
    var count = publicKey.count
    guard EVP_PKEY_get_raw_public_key(key, &publicKey, &count) == 1, count == Self.keySize else {
      throw Self.failure
    }
    self.publicKey = publicKey
  }

  /// Returns the 32 bytes of the secret shared with the owner of a public key.
  ///
  /// - Throws: ``CryptographyError``, also if the public key has another length or leads to a secret of zeros
  ///   (RFC 7748, section 6.1).
  package func sharedSecret(with publicKey: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard publicKey.count == Self.keySize,
      let other = EVP_PKEY_new_raw_public_key_ex(nil, "X25519", nil, publicKey, publicKey.count)
    else { throw Self.failure }
    defer { EVP_PKEY_free(other) }
    guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key.key, nil) else { throw Self.failure }
    defer { EVP_PKEY_CTX_free(context) }
    var secret = [UInt8](repeating: 0, count: Self.keySize)
    var count = secret.count
    guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, other) == 1,
      EVP_PKEY_derive(context, &secret, &count) == 1, count == Self.keySize,
      !MessageAuthentication.areEqual(secret, [UInt8](repeating: 0, count: Self.keySize))
    else {
      ERR_clear_error()
      throw Self.failure
    }
    return secret
  }

  private static var failure: CryptographyError { CryptographyError(operation: "X25519") }
}
