/// The parts of a file that are requested at the same time, and how much of each is in the unfinished file.
struct DownloadParts: Sendable, Hashable {
  struct Part: Sendable, Hashable {
    /// The bytes of the file that belong to the part.
    let range: Range<Int64>
    /// The offset of the first byte that is not in the file.
    fileprivate(set) var next: Int64

    var isComplete: Bool { next == range.upperBound }
    var missing: Range<Int64> { next..<range.upperBound }
  }

  /// The maximum number of parts of a record: those of one request at a time, and the first one.
  static let maximumCount = PartDivision.maximumCount + 1

  /// Adjacent parts, in the order of their offsets.
  private(set) var list: [Part]

  /// Divides a file.
  ///
  /// - Parameters:
  ///   - first: The length of the first part, which is being received.
  ///   - total: The length of the file.
  init(first: Int64, of total: Int64, by division: PartDivision) {
    list = [Part(range: 0..<min(first, total), next: 0)]
    var start = list[0].range.upperBound
    guard start < total else { return }
    let count = min(max((total - start) / division.minimum, 1), Int64(division.count))
    for number in 0..<count {
      // The remaining bytes are divided anew, so that the parts differ by one byte at most.
      let end = start + (total - start) / (count - number)
      list.append(Part(range: start..<end, next: start))
      start = end
    }
  }

  /// Creates parts that were recorded; nil unless they are adjacent and cover a file of this length.
  ///
  /// - Parameter recorded: The bytes of each part, and the offset of its first missing byte.
  init?(_ recorded: [(range: Range<Int64>, next: Int64)], total: Int64) {
    guard (1...Self.maximumCount).contains(recorded.count) else { return nil }
    var start: Int64 = 0
    for part in recorded {
      guard part.range.lowerBound == start, !part.range.isEmpty,
        (part.range.lowerBound...part.range.upperBound).contains(part.next)
      else { return nil }
      start = part.range.upperBound
    }
    guard start == total else { return nil }
    list = recorded.map { Part(range: $0.range, next: $0.next) }
  }

  /// The number of bytes of all parts in the file.
  var downloaded: Int64 { list.reduce(0) { $0 + $1.next - $1.range.lowerBound } }

  /// The minimum length of a file that contains these bytes.
  var minimumSize: Int64 { list.reduce(0) { $1.next > $1.range.lowerBound ? max($0, $1.next) : $0 } }

  /// The number of the first incomplete part; nil if all are complete.
  var firstIncomplete: Int? { list.firstIndex { !$0.isComplete } }

  /// Records that a part is in the file up to an offset.
  mutating func advance(_ part: Int, to offset: Int64) { list[part].next = offset }
}

/// How a file is divided into parts.
struct PartDivision: Sendable, Hashable {
  /// The maximum number of parts.
  static let maximumCount = 16
  static let standardMinimum: Int64 = 1 << 20

  /// The maximum number of parts that are requested at the same time.
  let count: Int
  /// The minimum length of a part.
  let minimum: Int64

  init(count: Int = 1, minimum: Int64 = standardMinimum) {
    self.count = min(max(count, 1), Self.maximumCount)
    self.minimum = max(minimum, 1)
  }

  /// The length of the range that is requested first: a shorter file isn't divided.
  var firstLength: Int64 { 2 * minimum }

  /// The number of further bytes after which the progress is recorded.
  ///
  /// It is 4 MiB, and more for a large file, so that the file is synchronized to disk about 64 times; at most
  /// 64 MiB, which a killed process then transfers again.
  func checkpointInterval(of total: Int64) -> Int64 { min(max(4 * minimum, total / 64), 64 * minimum) }
}
