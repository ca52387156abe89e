/// The syntax of media types (RFC 9110, section 8.3.1).
package enum MediaTypeSyntax {
  /// Whether `text` is `type/subtype`, optionally with parameters, and has no character forbidden in a field
  /// value.
  package static func isValid(_ text: String) -> Bool {
    let essence = text.utf8.prefix { $0 != UInt8(ascii: ";") }
    let halves = essence.trimmingWhitespace().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return halves.count == 2 && halves.allSatisfy { !$0.isEmpty && $0.allSatisfy(isTokenByte) }
      && text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }

  /// Returns the `type/subtype` of a field value in lowercase.
  package static func essence(of text: String) -> String {
    let essence = text.utf8.prefix { $0 != UInt8(ascii: ";") }.trimmingWhitespace()
    return String(decoding: essence, as: UTF8.self).lowercased()
  }

  package static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
