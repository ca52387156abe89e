import Interception

/// A single byte range of a `Range` field (RFC 9110, section 14.1.2).
enum ByteRange: Sendable, Hashable {
  /// From one byte to another, inclusive.
  case between(Int, Int)
  /// From a byte to the end.
  case from(Int)
  /// The given number of bytes at the end.
  case last(Int)

  /// Parses the value of a `Range`; nil for another unit, several ranges, or a malformed value.
  init?(_ text: String) {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0].lowercased() == "bytes" else { return nil }
    // Empty members of a list are ignored (section 5.6.1).
    let ranges = halves[1].split(separator: ",").map { $0.trimmingWhitespace() }.filter { !$0.isEmpty }
    guard ranges.count == 1 else { return nil }
    let ends = ranges[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    switch (ends[0].isEmpty, ends[1].isEmpty) {
    case (true, true): return nil
    case (true, false):
      guard let count = Self.number(ends[1]) else { return nil }
      self = .last(count)
    case (false, true):
      guard let first = Self.number(ends[0]) else { return nil }
      self = .from(first)
    case (false, false):
      guard let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
        return nil
      }
      self = .between(first, last)
    }
  }

  /// Returns the bounds within a body of `count` bytes; nil if the range is empty.
  func bounds(in count: Int) -> Range<Int>? {
    switch self {
    case .between(let first, let last): first < count ? first..<min(last, count - 1) + 1 : nil
    case .from(let first): first < count ? first..<count : nil
    case .last(let length): length > 0 && count > 0 ? max(0, count - length)..<count : nil
    }
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
