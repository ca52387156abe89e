extension RouteURL {
  /// A decoded field of a URL's query.
  public struct QueryItem: Sendable, Hashable {
    /// The text before the first `=`.
    public let name: String
    /// The text after the first `=`; empty both for `name=` and for `name`.
    public let value: String

    /// Creates an item from a name and a value.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }
}
