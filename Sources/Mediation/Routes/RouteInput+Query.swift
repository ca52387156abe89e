extension RouteInput {
  /// The decoded fields of the query in order, including those that the pattern does not name.
  public var query: [RouteURL.QueryItem] { url.query }

  /// The first text of each placeholder that has a value in the path or the query.
  public var parameters: [String: String] { firstTexts() }

  /// Creates the values of a URL that is known to match a pattern, for a call from within the app.
  package init(_ url: RouteURL, matching pattern: RoutePattern) {
    self.init(url: url, pattern: pattern, isFromOutside: false)
  }
}
