/// A content coding of responses.
enum ContentCoding: String {
  case identity
  case gzip

  /// Chooses the coding of a response by the `Accept-Encoding` field (RFC 9110 section 12.5.3).
  ///
  /// Gzip is chosen only if the client lists it, or `*`, with a weight above zero.
  init(acceptEncoding: String?) {
    var weights: [Substring: Double] = [:]
    for member in (acceptEncoding ?? "").split(separator: ",") {
      let parts = member.split(separator: ";").map(\.trimmed)
      guard let coding = parts.first?.lowercased(), !coding.isEmpty else { continue }
      var weight = 1.0
      for parameter in parts.dropFirst() {
        let pair = parameter.split(separator: "=", maxSplits: 1).map(\.trimmed)
        guard pair.count == 2, pair[0].lowercased() == "q" else { continue }
        // A coding whose weight is not a number is not used.
        weight = Double(pair[1]) ?? 0
      }
      weights[coding[...]] = weight
    }
    let weight = weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? 0
    self = weight > 0 ? .gzip : .identity
  }
}

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
    fieldValue.split(separator: ",").map(\.trimmed).contains { tag in
      tag == "*" || tag == value || tag == "W/" + value
    }
  }
}

extension Substring {
  /// The text without the spaces and tabs around it.
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text = text.dropLast() }
    return text
  }
}
