extension UnroutedURL {
  /// What was asked for first: the host, as in `scheme://target/action?parameters`.
  public var target: String { host }

  /// What the target should have done: the decoded segments of the path, joined by `/`; empty if there are
  /// none.
  public var action: String { url?.segments.joined(separator: "/") ?? "" }

  /// The decoded fields of the query, repeated names included; empty for a web address that does not keep the
  /// profile.
  public var query: [QueryItem] { url?.query ?? [] }

  /// The first value of each name in the query.
  public var parameters: [String: String] {
    Dictionary(query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
