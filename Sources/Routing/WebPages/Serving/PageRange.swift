import HTTPTypes
import Interception

/// The part of a file that a request asks for (RFC 9110, section 14.2).
enum PageRange: Sendable, Hashable {
  /// The whole file, with the status 200.
  case whole
  /// These bytes, with the status 206.
  case part(Range<Int>)
  /// The range begins after the end; the status is 416.
  case unsatisfiable

  /// Decides for a request.
  ///
  /// Several ranges, other units and malformed ranges are answered by the whole file, as the RFC permits for
  /// the first two and prescribes for the last.
  ///
  /// - Parameters:
  ///   - size: The length of the file in bytes.
  ///   - tag: Its strong entity tag. There is no date, so an `If-Range` with one does not match.
  init(for head: HTTPRequest, size: Int, tag: String) {
    self = .whole
    guard head.method == .get, let text = head.headerFields.singleValue(.range),
      Self.isCurrent(head.headerFields, tag)
    else { return }
    let bytes = text.utf8
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), text[..<equals].lowercased() == "bytes"
    else { return }
    let members = FieldList.members(of: text[bytes.index(after: equals)...])
    guard members.count == 1, let spec = members.first?.trimmingWhitespace(),
      let dash = spec.utf8.firstIndex(of: UInt8(ascii: "-"))
    else { return }
    let (start, end) = (spec.utf8[..<dash], spec.utf8[spec.utf8.index(after: dash)...])
    guard start.allSatisfy(Self.isDigit), end.allSatisfy(Self.isDigit), !start.isEmpty || !end.isEmpty else {
      return
    }
    guard !start.isEmpty else {
      let count = min(Self.number(end), size)
      self = count > 0 ? .part((size - count)..<size) : .unsatisfiable
      return
    }
    let (first, last) = (Self.number(start), end.isEmpty ? Int.max : Self.number(end))
    guard first <= last else { return }
    self = first < size ? .part(first..<(min(last, size - 1) + 1)) : .unsatisfiable
  }

  /// Whether the range still applies, by `If-Range` (section 13.1.5), which compares strongly.
  private static func isCurrent(_ fields: HTTPFields, _ tag: String) -> Bool {
    guard fields.contains(where: { $0.name == .ifRange }) else { return true }
    return fields.singleValue(.ifRange) == tag
  }

  /// Whether `If-None-Match` has the file's tag (section 13.1.2), which is compared weakly.
  static func isUnchanged(_ fields: HTTPFields, tag: String) -> Bool {
    fields.members(of: .ifNoneMatch).contains { member in
      member == "*" || member == tag || member.hasPrefix("W/") && member.dropFirst(2) == tag
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// The value of digits; the greatest number if they are a greater one.
  private static func number(_ digits: Substring.UTF8View) -> Int {
    Int(String(decoding: digits, as: UTF8.self)) ?? .max
  }
}
