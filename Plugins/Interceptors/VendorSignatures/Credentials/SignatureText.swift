/// The characters that parts of a signature may have.
enum SignatureText {
  /// Whether a text is 1 to 128 visible ASCII characters that separate nothing in a credential: no comma,
  /// equals sign, quote or slash.
  static func isIdentifier(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !",=/\"".utf8.contains($0) }
  }

  /// Whether a text is 1 to 16,384 visible ASCII characters.
  static func isVisible(_ text: String) -> Bool {
    (1...16_384).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
