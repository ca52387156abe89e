/// Rules from a server that redirect URLs or disable routes.
///
/// A table cannot add a route or extend a route's exposure. A rule applies to the URLs of its pattern, except
/// those that match a route with a narrower pattern. As JSON: `{"version": 3, "rules": […]}`; the app
/// decodes it with a decoder of its choice.
public struct RedirectTable: Sendable, Hashable, Codable {
  /// The version of the table; each new table has a higher one.
  public let version: Int
  /// The rules, in any order.
  public let rules: [RedirectRule]

  /// Creates a table; it is checked when it is applied.
  public init(version: Int, rules: [RedirectRule]) {
    self.version = version
    self.rules = rules
  }
}
