extension Mediator {
  /// Finds the route whose pattern matches a URL, and counts its captured values, without allocating.
  ///
  /// This is the first step of `open`. Use it to check many URLs, as in list cells, prefetching or analytics.
  /// It ignores exposure and redirects and reads no values: use `canOpen` where permissions matter, and
  /// `resolve` for the values.
  public func lookUp(_ url: String) -> RouteLookUp? {
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
    return RouteLookUp(
      registered: registry.routes[Int(entry.route)], form: Int(entry.form), captures: captures,
      capturedBytes: length, visits: search.visits)
  }
}
