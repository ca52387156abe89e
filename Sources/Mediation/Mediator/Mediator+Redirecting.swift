extension Mediator {
  /// Returns the redirect that applies to a call, or nil if there is none.
  ///
  /// - Throws: `notFound` if the rules disable the URL; `parameter` if the new URL cannot carry a value.
  func redirect(
    _ destination: Destination, by rules: any RedirectSnapshot, for origin: Origin
  ) throws(RouteError) -> (from: String, to: String, rule: Int)? {
    switch destination {
    case .url(let text):
      guard let url = try? RouteURL(text) else { return nil }
      let match = lookUp(text)
      // A redirect cannot open a route to a caller that its exposure excludes.
      if let match, !match.registered.admits(origin) { return nil }
      return try redirect(url, match, by: rules)
    case .target(let target):
      if let url = target.input?.url { return try redirect(url, lookUp(url.text), by: rules) }
      if let pattern = target.route.pattern, rules.disables(pattern) { throw .notFound(url: target.label) }
      return nil
    }
  }

  /// Follows the current redirects of a URL, without running guards.
  func redirected(_ text: String, for origin: Origin) throws(RouteError) -> String {
    guard let rules = redirector?.snapshot() else { return text }
    var trail = [text]
    while let redirect = try redirect(.url(trail[trail.count - 1]), by: rules, for: origin) {
      trail.append(redirect.to)
      if trail.count > Self.maximumRedirects + 1 { throw .redirectLoop(trail) }
    }
    return trail[trail.count - 1]
  }

  private func redirect(
    _ url: RouteURL, _ match: LookUp?, by rules: any RedirectSnapshot
  ) throws(RouteError) -> (from: String, to: String, rule: Int)? {
    guard let redirect = try rules.redirect(url, matching: match?.pattern) else { return nil }
    return (url.text, redirect.url, redirect.rule)
  }
}
