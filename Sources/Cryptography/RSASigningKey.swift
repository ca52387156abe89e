import COpenSSL

/// A private RSA key that signs with RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2), for old protocols that
/// require it.
// Safe to send: libcrypto permits concurrent signatures with a key, which isn't modified after its creation.
package final class RSASigningKey: @unchecked Sendable {
  /// The minimum size of a key, which old servers still use; new keys have 2048 bits or more.
  private static let minimumBits: Int32 = 1_024
  /// The maximum size of a PEM text in bytes.
  private static let maximumLength = 65_536

  private let key: OpaquePointer

  /// Reads an unencrypted key in PEM, in the form of PKCS #8 or PKCS #1; nil if it is none.
  package init?(pem: String) {
    let text = Array(pem.utf8)
    guard (1...Self.maximumLength).contains(text.count) else { return nil }
    let key: OpaquePointer? = text.withUnsafeBytes { bytes in
      guard let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
      defer { BIO_free(memory) }
      // The empty passphrase keeps libcrypto from asking for one on the terminal.
      var passphrase: [CChar] = [0]
      return PEM_read_bio_PrivateKey(memory, nil, nil, &passphrase)
    }
    guard let key else {
      ERR_clear_error()
      return nil
    }
    guard EVP_PKEY_is_a(key, "RSA") == 1, EVP_PKEY_get_bits(key) >= Self.minimumBits else {
      EVP_PKEY_free(key)
      return nil
    }
    self.key = key
  }

  deinit { EVP_PKEY_free(key) }

  /// Returns the signature of a message.
  package func signature(of message: [UInt8], with hash: KeyedHash) throws(CryptographyError) -> [UInt8] {
    let failure = CryptographyError(operation: "RSA-\(hash.rawValue)")
    guard let context = EVP_MD_CTX_new() else { throw failure }
    defer { EVP_MD_CTX_free(context) }
    var length = 0
    guard EVP_DigestSignInit(context, nil, hash.algorithm, nil, key) == 1,
      EVP_DigestSign(context, nil, &length, message, message.count) == 1
    else { throw failure }
    var signature = [UInt8](repeating: 0, count: length)
    guard EVP_DigestSign(context, &signature, &length, message, message.count) == 1 else { throw failure }
    return Array(signature.prefix(length))
  }
}

extension RSASigningKey: CustomReflectable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Empty, so that `dump` and `Mirror` reveal nothing of the key.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  package var description: String { "(private key)" }
  package var debugDescription: String { description }
}
