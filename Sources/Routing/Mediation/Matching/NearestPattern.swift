/// Finds the known pattern that is most similar to a URL, as a hint for a mistyped one.
struct NearestPattern {
  /// The maximum number of steps of one search.
  ///
  /// A step considers one pattern or compares one pair of bytes. The patterns that are left when the limit is
  /// reached are not considered, which bounds the work of a failed look-up in a table of any size.
  static let maximumSteps = 200_000
  /// The distance that a missing or extra segment adds: within the allowance of any URL, so that a URL
  /// without the last value of its path is near to the pattern.
  private static let segmentCost = 2

  private let url: RouteURL
  /// The length of the URL's host and path in bytes.
  private let length: Int
  /// One row of the edit distance matrix, kept between comparisons.
  private var row = [Int](repeating: 0, count: 65)
  private var best: RoutePattern?
  /// The maximum distance of a pattern that can still become the best one.
  private var allowance: Int
  /// The number of steps taken.
  private(set) var steps = 0

  init(to url: RouteURL) {
    self.url = url
    length = url.labels.dropFirst().reduce(0) { $0 + $1.count }
    allowance = max(2, length / 3)
  }

  /// Returns the most similar pattern, the first of several equally similar ones; nil if none is similar
  /// enough.
  ///
  /// - Parameter patterns: The known patterns; nil in place of those that the caller may not reach.
  mutating func find(among patterns: some Sequence<RoutePattern?>) -> RoutePattern? {
    for pattern in patterns {
      if allowance < 0 || steps >= Self.maximumSteps { break }
      steps += 1
      guard let pattern, let distance = distance(to: pattern) else { continue }
      best = pattern
      allowance = distance - 1
    }
    return best
  }

  /// Returns the distance of a pattern, or nil if it exceeds the allowance.
  private mutating func distance(to pattern: RoutePattern) -> Int? {
    let count = url.labels.count - 1
    var cost = 0
    if count > pattern.segments.count, !pattern.hasRest {
      cost += Self.segmentCost * (count - pattern.segments.count)
    } else if count < pattern.leastCount {
      cost += Self.segmentCost * (pattern.leastCount - count)
    }
    guard cost <= allowance, compare(label: 0, with: pattern.scheme, &cost) else { return nil }
    for (index, segment) in pattern.segments.prefix(count).enumerated() {
      guard case .literal(let text) = segment else { continue }
      guard compare(label: index + 1, with: text, &cost) else { return nil }
    }
    return cost
  }

  /// Adds the edit distance between the first 64 bytes of a label and of a literal to the cost, and returns
  /// whether the cost is still within the allowance.
  private mutating func compare(label: Int, with literal: String, _ cost: inout Int) -> Bool {
    let label = url.labelBytes(label).prefix(64)
    if steps + label.count > Self.maximumSteps { return false }
    SpanAccess.withBytes(of: literal) { cost += edits(label.span, $0, atMost: allowance - cost) }
    return cost <= allowance
  }

  private mutating func edits(_ label: Span<UInt8>, _ bytes: Span<UInt8>, atMost limit: Int) -> Int {
    var end = (label.count, min(bytes.count, 64))
    var start = 0
    // Most labels begin or end alike, which costs no edits.
    while start < end.0, start < end.1, label[start] == bytes[start] { start += 1 }
    while start < end.0, start < end.1, label[end.0 - 1] == bytes[end.1 - 1] { end = (end.0 - 1, end.1 - 1) }
    steps += label.count - (end.0 - start)
    return distance(label.extracting(start..<end.0), bytes.extracting(start..<end.1), atMost: limit)
  }

  /// Returns the edit distance between two texts of at most 64 bytes, or a greater number than the limit if
  /// the distance exceeds it.
  private mutating func distance(_ left: Span<UInt8>, _ right: Span<UInt8>, atMost limit: Int) -> Int {
    if abs(left.count - right.count) > limit { return limit + 1 }
    for column in 0...right.count { row[column] = column }
    for index in 0..<left.count {
      if steps + right.count > Self.maximumSteps { return limit + 1 }
      steps += right.count
      var diagonal = row[0]
      row[0] = index + 1
      var least = row[0]
      for column in 0..<right.count {
        let substituted = diagonal + (right[column] == left[index] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, row[column] + 1, diagonal + 1)
        least = min(least, row[column + 1])
      }
      // The minimum does not decrease from row to row.
      if least > limit { return limit + 1 }
    }
    return row[right.count]
  }
}
