/// Finds the known pattern that is most similar to a URL, as a hint for a mistyped one.
enum NearestPattern {
  /// The maximum number of patterns that are compared, which bounds the time of a failed look-up.
  private static let limit = 2_000

  static func find(_ url: RouteURL, among patterns: some Sequence<RoutePattern>) -> RoutePattern? {
    var best: (pattern: RoutePattern, cost: Int)?
    for pattern in patterns.prefix(limit) {
      let cost = distance(url, pattern)
      if cost < best?.cost ?? .max { best = (pattern, cost) }
    }
    let length = url.labels.dropFirst().reduce(0) { $0 + $1.count }
    guard let best, best.cost <= max(2, length / 3) else { return nil }
    return best.pattern
  }

  private static func distance(_ url: RouteURL, _ pattern: RoutePattern) -> Int {
    var cost = edits(Array(url.scheme.utf8), Array(pattern.scheme.utf8))
    let count = url.labels.count - 1
    for index in 0..<max(count, pattern.segments.count) {
      switch (index < count, index < pattern.segments.count ? pattern.segments[index] : nil) {
      case (true, .literal(let text)?): cost += edits(Array(url.labelBytes(index + 1)), Array(text.utf8))
      case (true, _?): continue
      default: if !(pattern.hasRest && index >= pattern.segments.count) { cost += 3 }
      }
    }
    return cost
  }

  /// Returns the edit distance between the first 64 bytes of two texts.
  static func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let left = left.prefix(64)
    let right = Array(right.prefix(64))
    var row = Array(0...right.count)
    for (index, byte) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let substituted = diagonal + (right[column] == byte ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
