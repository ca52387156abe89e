/// One step by a redirect table.
struct RedirectMove: Sendable {
  let from: String
  let to: String
  let rule: Int
}

extension Mediator {
  /// Where a redirect table sends a call; nil if the table does not concern it.
  ///
  /// - Throws: `notFound` if the table disables the URL; `parameter` if the target cannot carry a value.
  func move(
    _ stop: Stop, by table: RedirectSnapshot, for origin: Origin
  ) throws(RouteError) -> RedirectMove? {
    switch stop {
    case .url(let text):
      guard let url = try? RouteURL(text) else { return nil }
      return try move(url, by: table, for: origin)
    case .target(let target):
      if let url = target.url { return try move(url, by: table, for: nil) }
      if let index = registry.indices[target.declaration.type], table.closed.contains(index) {
        throw .notFound(url: target.label)
      }
      return nil
    }
  }

  /// Follows the redirect table in force, without guards.
  func redirected(_ text: String, for origin: Origin) throws(RouteError) -> String {
    guard let table = redirects.current else { return text }
    var trail = [text]
    while let move = try move(.url(trail[trail.count - 1]), by: table, for: origin) {
      trail.append(move.to)
      if trail.count > Self.hopLimit + 1 { throw .redirectLoop(trail) }
    }
    return trail[trail.count - 1]
  }

  /// The route that answers a URL, and by which of its patterns, whoever asks.
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

  /// - Parameter origin: Whose rights count; nil for a typed call.
  private func move(
    _ url: RouteURL, by table: RedirectSnapshot, for origin: Origin?
  ) throws(RouteError) -> RedirectMove? {
    guard let rule = table.rule(for: url) else { return nil }
    if let form = form(of: url) {
      if rule.exceptions.contains(form) { return nil }
      // What was closed to a caller stays closed, wherever the table leads.
      let route = registry.routes[form.route]
      if let origin, route.exposure?.admits(origin, module: route.module) != true { return nil }
    }
    guard let target = try rule.url(from: url) else { throw .notFound(url: url.text) }
    return RedirectMove(from: url.text, to: target, rule: rule.index)
  }
}
