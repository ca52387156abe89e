/// A rule of a redirect table, which redirects or disables the URLs of a pattern.
///
/// As JSON: `{"from": "estate://home/{id:int}", "to": "https://estate.example/homes/{id:int}"}`, with
/// `"values": {"tab": "map"}` for placeholders of the target that the first pattern does not have, or
/// `{"from": "estate://map", "disabled": true}`.
public struct RedirectRule: Sendable, Hashable {
  /// What happens to the URLs.
  package enum Action: Sendable, Hashable {
    /// The URLs are redirected to this pattern.
    ///
    /// Parameters of the same name are passed on; `values` sets the others.
    case redirect(to: String, values: [String: String])
    /// No route matches them any more; the fallbacks run.
    case disable
  }

  /// The pattern of the URLs to which the rule applies.
  package let from: String
  /// What happens to the URLs.
  package let action: Action

  /// Creates a rule; it is checked when its table is applied.
  package init(from: String, action: Action) {
    self.from = from
    self.action = action
  }

  /// Returns a rule that redirects the URLs of one pattern to another.
  public static func redirect(
    _ from: String, to target: String, values: [String: String] = [:]
  ) -> RedirectRule {
    RedirectRule(from: from, action: .redirect(to: target, values: values))
  }

  /// Returns a rule that disables a route or some of its URLs.
  ///
  /// The rule applies to one pattern: to disable a route with aliases, write a rule for each of its patterns.
  /// Typed calls follow the rule for the route's own pattern.
  public static func disable(_ pattern: String) -> RedirectRule {
    RedirectRule(from: pattern, action: .disable)
  }
}

extension RedirectRule: Codable {
  private enum CodingKeys: String, CodingKey {
    case from
    case to
    case values
    case disabled
  }

  /// Decodes a rule that has either a target or `disabled: true`.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    from = try fields.decode(String.self, forKey: .from)
    let target = try fields.decodeIfPresent(String.self, forKey: .to)
    let isDisabled = try fields.decodeIfPresent(Bool.self, forKey: .disabled) ?? false
    let values = try fields.decodeIfPresent([String: String].self, forKey: .values)
    switch (target, isDisabled) {
    case (let target?, false): action = .redirect(to: target, values: values ?? [:])
    case (nil, true) where values == nil: action = .disable
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .to, in: fields,
        debugDescription: "A rule has either \"to\", with or without \"values\", or \"disabled\": true.")
    }
  }

  /// Encodes the rule in the form that `init(from:)` decodes.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(from, forKey: .from)
    switch action {
    case .redirect(let target, let values):
      try fields.encode(target, forKey: .to)
      if !values.isEmpty { try fields.encode(values, forKey: .values) }
    case .disable: try fields.encode(true, forKey: .disabled)
    }
  }
}
