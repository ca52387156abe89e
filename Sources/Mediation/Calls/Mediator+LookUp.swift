extension Mediator {
  /// Finds the route whose pattern a URL matches, and where its captures are, and allocates nothing.
  ///
  /// It is the first step of `open`. Choose it where URLs are asked about by the thousand, as in list cells,
  /// prefetching or analytics; it looks neither at exposure nor at redirects, and makes no values. Where
  /// rights matter `canOpen` is the question, and where the values do, `resolve`.
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
      route: Int(entry.route), captures: captures, capturedBytes: length, visits: search.visits)
  }
}
