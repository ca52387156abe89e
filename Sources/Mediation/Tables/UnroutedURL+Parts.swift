extension UnroutedURL {
  /// The host, as the target in `scheme://target/action?parameters`.
  public var target: String { host }

  /// The decoded path segments joined by `/`, as the action in `scheme://target/action?parameters`; empty if
  /// there are none.
  public var action: String { url?.segments.joined(separator: "/") ?? "" }

  /// The decoded query fields, repeated names included; empty for a web URL that does not conform to the URL
  /// profile.
  public var query: [RouteURL.QueryItem] { url?.query ?? [] }

  /// The first value of each name in the query.
  public var parameters: [String: String] {
    Dictionary(query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
