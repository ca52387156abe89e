/// Rules from a server that lead URLs elsewhere or take routes out of service.
///
/// A table can neither add a route nor widen who may reach one. A rule concerns the URLs that it describes at
/// least as exactly as the route that would answer them: for a route narrower than the rule the route goes on
/// to answer. As JSON: `{"version": 3, "rules": […]}`; the app decodes it with the decoder of its choice.
public struct RedirectTable: Sendable, Hashable, Codable {
  /// The number of the table; each new one has a higher one.
  public let version: Int
  /// The rules; their order means nothing.
  public let rules: [RedirectRule]

  /// Makes a table; it is checked when it is applied.
  public init(version: Int, rules: [RedirectRule]) {
    self.version = version
    self.rules = rules
  }
}
