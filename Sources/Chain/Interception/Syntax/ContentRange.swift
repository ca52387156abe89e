package import HTTPTypes

/// The value of a `Content-Range` field with the unit bytes (RFC 9110, section 14.4).
package enum ContentRange: Sendable, Hashable {
  /// A part from `first` to `last`, inclusive; `total` is nil if the server doesn't know it.
  case part(first: Int64, last: Int64, total: Int64?)
  /// The requested range does not exist; the content has `total` bytes.
  case unsatisfied(total: Int64)

  /// Reads the field; returns nil without it, or without one valid value.
  package init?(in fields: HTTPFields) {
    guard let text = fields.singleValue(.contentRange) else { return nil }
    self.init(text)
  }

  /// Parses a field value; returns nil if it violates the grammar or contradicts itself.
  package init?(_ text: String) {
    let words = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 2, String(words[0])?.lowercased() == "bytes" else { return nil }
    let halves = words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let total = Self.number(halves[1])
    if Self.isStar(halves[0]) {
      guard let total else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    guard total != nil || Self.isStar(halves[1]) else { return nil }
    let ends = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < total ?? .max
    else { return nil }
    self = .part(first: first, last: last, total: total)
  }

  private static func isStar(_ bytes: Substring.UTF8View) -> Bool { bytes.elementsEqual([UInt8(ascii: "*")]) }

  private static func number(_ bytes: Substring.UTF8View) -> Int64? {
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(String(decoding: bytes, as: UTF8.self))
  }
}

extension Range<Int64> {
  /// The value of a `Range` field that asks for these bytes (RFC 9110, section 14.2), such as
  /// "bytes=0-499" for `0..<500`.
  package var rangeText: String { "bytes=\(lowerBound)-\(upperBound - 1)" }
}
