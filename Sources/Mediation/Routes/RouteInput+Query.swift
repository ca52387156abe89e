extension RouteInput {
  /// The decoded fields of the query in order, including those that the pattern does not name.
  public var query: [QueryItem] { url.query }

  /// The first text of each placeholder that has a value in the path or the query.
  public var parameters: [String: String] { firstTexts() }
}
