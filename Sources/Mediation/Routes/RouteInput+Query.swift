extension RouteInput {
  /// The decoded fields of the query in their order, those included that the pattern does not name.
  public var query: [QueryItem] { url.query }

  /// The first text of each placeholder that the URL gives a value, in the path or the query.
  public var parameters: [String: String] { firstTexts() }
}
