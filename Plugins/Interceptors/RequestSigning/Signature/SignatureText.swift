import Cryptography

/// The text of a signature: the version of the scheme, a period, and 64 lower-case hexadecimal digits.
///
/// With the version, both ends report signatures of another one as such instead of as a mismatch. It is part
/// of the label too, so that a signature can't be presented as one of another version.
enum SignatureText {
  /// The version of the scheme.
  static let version = 2
  /// The version and the period.
  static let prefix = "v\(version)."
  /// The number of characters of a signature.
  static let count = prefix.utf8.count + 2 * Digest.size

  /// Returns the text of a signature.
  static func encode(_ signature: HashValue) -> String { prefix + Hexadecimal.encode(signature) }

  /// Returns the text of a signature.
  static func encode(_ signature: [UInt8]) -> String { prefix + Hexadecimal.encode(signature) }

  /// Returns the bytes of a signature.
  static func decode(_ text: String) throws(SignatureError) -> [UInt8] {
    if text.hasPrefix(prefix) {
      let digits = String(text.dropFirst(prefix.count))
      guard let signature = Hexadecimal.decode(digits, count: Digest.size) else {
        throw .malformed(SignatureFields.signature)
      }
      return signature
    }
    guard let version = version(of: text) else { throw .malformed(SignatureFields.signature) }
    throw .unsupportedVersion(version)
  }

  /// Returns the version of a text that another version of the scheme may have produced; nil for others.
  private static func version(of text: String) -> Int? {
    // Version 1 had no prefix.
    if Hexadecimal.decode(text, count: Digest.size) != nil { return 1 }
    guard let period = text.utf8.firstIndex(of: UInt8(ascii: ".")), text.utf8.first == UInt8(ascii: "v")
    else {
      return nil
    }
    let digits = text.utf8[..<period].dropFirst()
    guard (1...3).contains(digits.count), digits.first != UInt8(ascii: "0"),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(String(Substring(digits)))
  }
}
