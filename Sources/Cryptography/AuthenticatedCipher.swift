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
  ///
  /// - Throws: ``CryptographyError``, also unless the nonce has 12 bytes.
  package func seal(
    _ text: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    guard nonce.count == Self.nonceSize,
      let sealed = Backend.seal(text, key: key, nonce: nonce, authenticating: data)
    else { throw Self.failure }
    return sealed
  }

  /// Returns the text, or nil if it or the associated data was changed, or the key or nonce is another one.
  ///
  /// - Throws: ``CryptographyError`` if the library doesn't provide the cipher.
  package func open(
    _ sealed: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) throws(CryptographyError) -> [UInt8]? {
    guard Backend.hasCipher else { throw Self.failure }
    guard sealed.count >= Self.tagSize, nonce.count == Self.nonceSize else { return nil }
    return Backend.open(
      Array(sealed.dropLast(Self.tagSize)), tag: Array(sealed.suffix(Self.tagSize)), key: key, nonce: nonce,
      authenticating: data)
  }

  private static var failure: CryptographyError { CryptographyError(operation: "AES-256-GCM") }
}

extension AuthenticatedCipher: CustomReflectable, CustomStringConvertible {
  /// Empty, so that `dump` and `Mirror` can't reveal the key.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  package var description: String { "(secret)" }
}

/// Random numbers from the library's generator, which is suitable for nonces and keys.
///
/// Drawing many at once is cheaper than a system call for each. A child process made by `fork` without
/// `exec` must draw its own.
package enum RandomWords {
  /// Returns `count` random numbers, or nil if the generator fails.
  package static func draw(_ count: Int) -> [UInt64]? {
    var words = [UInt64](repeating: 0, count: count)
    return words.withUnsafeMutableBytes { Backend.fillRandomly($0) } ? words : nil
  }
}
