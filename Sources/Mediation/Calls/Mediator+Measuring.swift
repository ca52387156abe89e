extension Mediator {
  /// What a look-up finds before anything is made for a handler; for measurements only.
  @_spi(Measuring)
  public struct LookUp: Sendable {
    /// The number of the route in the order of declaration.
    public let route: Int
    /// So many segments of the path are captures.
    public let captures: Int
    /// The sum of the captures' lengths in bytes, percent-encoded as they stand.
    public let capturedBytes: Int
    /// So many nodes of the table were visited.
    public let visits: Int
  }

  /// Scans a URL, looks it up and walks over its captures, as `open` does before it makes values for the route.
  @_spi(Measuring)
  public func lookUp(_ url: String) -> LookUp? {
    let bytes = url.utf8.span
    var scan = URLScan()
    do throws(URLFault) { try scan.read(bytes) } catch { return nil }
    var search = RouteSearch()
    registry.trie.find(&scan, bytes, &search)
    guard let best = search.best else { return nil }
    let entry = registry.trie.entries[best]
    let starts = scan.starts.span
    var captures = 0
    var length = 0
    var mask = entry.captures
    while mask != 0 {
      let index = mask.trailingZeroBitCount
      mask &= mask &- 1
      // An optional segment may be absent.
      if index >= scan.segmentCount { break }
      let range = URLScan.segment(index, starts)
      captures += 1
      length +=
        entry.hasRest && mask == 0
        ? URLScan.segment(scan.segmentCount - 1, starts).upperBound - range.lowerBound : range.count
    }
    return LookUp(route: Int(entry.route), captures: captures, capturedBytes: length, visits: search.visits)
  }

  /// Scans a URL by the profile; the number of its segments, or -1 if it is malformed.
  @_spi(Measuring)
  public static func scan(_ url: String) -> Int {
    var scan = URLScan()
    do throws(URLFault) { try scan.read(url.utf8.span) } catch { return -1 }
    return scan.segmentCount
  }
}
