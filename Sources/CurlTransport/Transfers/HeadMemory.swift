import HTTPTypes
import Interception

/// Whole heads of answers that were read before: within a second, a server says the same again and again.
///
/// A head that is byte for byte one of them is not read anew. It holds 64 heads and the one that came last of at most 2 KiB, none of which sets a
/// cookie or holds a line that was not known before, and belongs to one thread.
final class HeadMemory {
  /// A head that was read.
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

  static let longest = 2 << 10
  private static let places = 64

  private var entries = [Entry?](repeating: nil, count: places)
  // The one that came last: as a rule, it comes next.
  private var latest: Entry?

  /// Returns what a head says that was read before.
  func entry(of head: Span<UInt8>) -> Entry? {
    if let latest, FieldCache.isSame(latest.bytes, head) { return latest }
    guard head.count <= Self.longest, let known = entries[Self.place(of: head)],
      FieldCache.isSame(known.bytes, head)
    else { return nil }
    latest = known
    return known
  }

  /// Keeps what a head says, where each of its lines was known.
  func keep(
    _ head: HTTPResponse, _ version: TransportReport.HTTPVersion, parser: HeadParser, of bytes: Span<UInt8>
  ) {
    guard bytes.count <= Self.longest, parser.isOfKnownLines else { return }
    let copy = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    let entry = Entry(bytes: copy, head: head, version: version, parser: parser)
    // Taken out meanwhile, so that no access lasts: one that did would make each look-up ask whether it may look.
    var entries: [Entry?] = []
    swap(&entries, &self.entries)
    entries[Self.place(of: bytes)] = entry
    swap(&entries, &self.entries)
  }

  private static func place(of head: Span<UInt8>) -> Int {
    Int(truncatingIfNeeded: FieldCache.mix(head) >> 58) & (places - 1)
  }
}
