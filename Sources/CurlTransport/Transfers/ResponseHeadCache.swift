import HTTPTypes
import Interception

/// Response heads that were parsed before: a server sends the same head many times within a second.
///
/// A head that equals one of them byte for byte is not parsed again. The cache holds 64 heads and the latest one, each of at
/// most 2 KiB; none sets a cookie or has a line that ``FieldCache`` did not hold. It belongs to one thread.
final class ResponseHeadCache {
  /// A parsed head.
  final class Entry {
    fileprivate let bytes: [UInt8]
    let head: HTTPResponse
    let version: TransportReport.HTTPVersion
    /// The parser as it stands after the head.
    let parser: HeadParser
    let framing: HeadParser.Framing

    fileprivate init(
      bytes: [UInt8], head: HTTPResponse, version: TransportReport.HTTPVersion, parser: HeadParser
    ) {
      self.bytes = bytes
      self.head = head
      self.version = version
      self.parser = parser
      framing = parser.framing
    }
  }

  /// The maximum size of a cached head in bytes.
  static let longest = 2 << 10
  private static let places = 64

  private var entries = [Entry?](repeating: nil, count: places)
  // Usually the next head equals the latest one.
  private var latest: Entry?

  /// Returns the parsed form of a head; nil if it is not cached.
  func entry(of head: Span<UInt8>) -> Entry? {
    if let latest, FieldCache.isSame(latest.bytes, head) { return latest }
    guard head.count <= Self.longest, let known = entries[Self.place(of: head)],
      FieldCache.isSame(known.bytes, head)
    else { return nil }
    latest = known
    return known
  }

  /// Caches a head, if each of its lines was cached.
  func keep(
    _ head: HTTPResponse, _ version: TransportReport.HTTPVersion, parser: HeadParser, of bytes: Span<UInt8>
  ) {
    guard bytes.count <= Self.longest, parser.isOfKnownLines else { return }
    let copy = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    let entry = Entry(bytes: copy, head: head, version: version, parser: parser)
    entries[Self.place(of: bytes)] = entry
  }

  private static func place(of head: Span<UInt8>) -> Int {
    Int(truncatingIfNeeded: FieldCache.mix(head) >> 58) & (places - 1)
  }
}
