/// One redirect by a table.
struct RedirectMove: Sendable {
  let from: String
  let to: String
  let rule: Int
}

extension Mediator {
  /// Returns where a redirect table sends a call, or nil if no rule applies.
  ///
  /// - Throws: `notFound` if the table disables the URL; `parameter` if the target's URL cannot carry a
  ///   value.
  func move(
    _ stop: Stop, by table: RedirectSnapshot, for origin: Origin
  ) throws(RouteError) -> RedirectMove? {
    switch stop {
    case .url(let text):
      guard let url = try? RouteURL(text) else { return nil }
      return try move(url, by: table, for: origin)
    case .target(let target):
      if let url = target.input?.url { return try move(url, by: table, for: nil) }
      if let index = registry.indices[target.route.declaration.type], table.closed.contains(index) {
        throw .notFound(url: target.label)
      }
      return nil
    }
  }

  /// Follows the current redirect table, without running guards.
  func redirected(_ text: String, for origin: Origin) throws(RouteError) -> String {
    guard let table = redirects.current else { return text }
    var trail = [text]
    while let move = try move(.url(trail[trail.count - 1]), by: table, for: origin) {
      trail.append(move.to)
      if trail.count > Self.hopLimit + 1 { throw .redirectLoop(trail) }
    }
    return trail[trail.count - 1]
  }

  /// Returns the route that matches a URL and the index of the matching pattern, for any caller.
  func form(of url: RouteURL) -> RouteForm? {
    var scan = URLScan()
    do throws(URLFault) { try scan.read(url.text.utf8.span) } catch { return nil }
    var search = RouteSearch()
    registry.trie.find(&scan, url.text.utf8.span, &search)
    return search.best.map { best in
      let entry = registry.trie.entries[best]
      return RouteForm(route: Int(entry.route), form: Int(entry.form))
    }
  }

  /// - Parameter origin: The caller whose permissions apply; nil for a typed call.
  private func move(
    _ url: RouteURL, by table: RedirectSnapshot, for origin: Origin?
  ) throws(RouteError) -> RedirectMove? {
    guard let rule = table.rule(for: url) else { return nil }
    if let form = form(of: url) {
      if rule.exceptions.contains(form) { return nil }
      // A table cannot open a route to a caller that its exposure excludes.
      let route = registry.routes[form.route]
      if let origin, !route.admits(origin) { return nil }
    }
    guard let target = try rule.url(from: url) else { throw .notFound(url: url.text) }
    return RedirectMove(from: url.text, to: target, rule: rule.index)
  }
}
