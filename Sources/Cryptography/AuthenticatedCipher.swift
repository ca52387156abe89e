import COpenSSL

/// AES-256-GCM (NIST SP 800-38D): encryption that also authenticates the text and associated data.
package struct AuthenticatedCipher: Sendable {
  /// The length of a key in bytes.
  package static let keySize = 32
  /// The length of a nonce in bytes.
  package static let nonceSize = 12
  /// The length of the tag that follows the encrypted text, in bytes.
  package static let tagSize = 16

  private let key: [UInt8]

  /// Creates a cipher; a key must encrypt only one text with each nonce.
  ///
  /// - Throws: ``CryptographyError`` unless the key has 32 bytes.
  package init(key: [UInt8]) throws(CryptographyError) {
    guard key.count == Self.keySize else { throw Self.failure }
    self.key = key
  }

  /// Returns the encrypted text, followed by the tag.
  package func seal(
    _ text: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: Self.tagSize)
    let encrypted = run(text, nonce: nonce, authenticating: data, encrypting: true) { context in
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagSize), &tag) == 1
    }
    guard let encrypted else { throw Self.failure }
    return encrypted + tag
  }

  /// Returns the text, or nil if it or the associated data was changed, or the key or nonce is another one.
  ///
  /// - Throws: ``CryptographyError`` if libcrypto doesn't provide the cipher.
  package func open(
    _ sealed: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) throws(CryptographyError) -> [UInt8]? {
    guard Self.cipher != nil else { throw Self.failure }
    guard sealed.count >= Self.tagSize else { return nil }
    let tag = Array(sealed.suffix(Self.tagSize))
    return run(
      Array(sealed.dropLast(Self.tagSize)), nonce: nonce, authenticating: data, encrypting: false, tag: tag)
  }

  // A fetched algorithm is immutable and can be shared by threads.
  nonisolated(unsafe) private static let cipher: OpaquePointer? = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

  /// Encrypts or decrypts; nil if libcrypto fails, which when decrypting includes a wrong tag.
  private func run(
    _ text: [UInt8], nonce: [UInt8], authenticating data: [UInt8], encrypting: Bool, tag: [UInt8] = [],
    after: (OpaquePointer) -> Bool = { _ in true }
  ) -> [UInt8]? {
    guard nonce.count == Self.nonceSize, let length = Int32(exactly: text.count),
      let dataLength = Int32(exactly: data.count), let cipher = Self.cipher,
      let context = EVP_CIPHER_CTX_new()
    else { return nil }
    defer { EVP_CIPHER_CTX_free(context) }
    var tag = tag
    var output = [UInt8](repeating: 0, count: text.count)
    var (count, last): (Int32, Int32) = (0, 0)
    let isDone =
      EVP_CipherInit_ex2(context, cipher, key, nonce, encrypting ? 1 : 0, nil) == 1
      && (encrypting || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1)
      && (data.isEmpty || EVP_CipherUpdate(context, nil, &count, data, dataLength) == 1)
      && (text.isEmpty || EVP_CipherUpdate(context, &output, &count, text, length) == 1)
      // GCM is a stream cipher: all bytes are written by now, and only the tag is computed or compared.
      && EVP_CipherFinal_ex(context, nil, &last) == 1 && last == 0 && after(context)
    guard isDone else {
      ERR_clear_error()
      return nil
    }
    return output
  }

  private static var failure: CryptographyError { CryptographyError(operation: "AES-256-GCM") }
}

extension AuthenticatedCipher: CustomReflectable, CustomStringConvertible {
  /// Empty, so that `dump` and `Mirror` can't reveal the key.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  package var description: String { "(secret)" }
}
