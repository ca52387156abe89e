/// A strong entity tag made from the bytes of a representation (RFC 9110 section 8.8.3).
struct EntityTag: Equatable {
  /// The tag with its quotation marks.
  let value: String

  /// Creates the tag of a representation; each coding of the same bytes is a representation of its own.
  init(identityBytes: [UInt8], coding: ContentCoding) {
    // 128 bits of SHA-256 suffice to tell versions apart.
    let hex = Hexadecimal.text(SHA256Digest.bytes(of: identityBytes).prefix(16))
    let suffix = coding == .identity ? "" : "-\(coding.rawValue)"
    value = "\"\(hex)\(suffix)\""
  }

  /// Whether an `If-None-Match` field value lists this tag or is `*` (weak comparison, RFC 9110 section
  /// 13.1.2).
  func isListed(in fieldValue: String) -> Bool {
    fieldValue.split(separator: ",").contains { part in
      var tag = part.drop { $0 == " " || $0 == "\t" }
      while tag.last == " " || tag.last == "\t" { tag = tag.dropLast() }
      if tag == "*" { return true }
      if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
      return tag == value
    }
  }
}
