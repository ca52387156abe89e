import HTTPTypes
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
    let ends = halves[1].trimmingWhitespace().split(separator: "-", omittingEmptySubsequences: false)
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

extension StoredResponse {
  /// Returns part of the response as a 206 (RFC 9111, section 3.4); nil if it has no such part.
  ///
  /// Only a 200 whose `Content-Length` equals the number of stored bytes has parts: for content that the
  /// dispatcher decoded, the server's byte positions are unknown.
  func part(_ range: ByteRange, age: Duration?, exchange: Exchange) -> Response? {
    guard head.status == .ok, head.headerFields[.contentLength].flatMap({ Int($0) }) == body.count,
      let bounds = range.bounds(in: body.count)
    else { return nil }
    var head = response(age: age).head
    head.status = .partialContent
    head.headerFields[.contentLength] = String(bounds.count)
    head.headerFields[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(body.count)"
    // Trailers would describe the whole content.
    return Response(head, body: .bytes(Array(body[bounds])), exchange: exchange)
  }
}
