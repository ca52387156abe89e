/// One rule of a redirect table: URLs of one pattern lead elsewhere or nowhere.
///
/// As JSON: `{"from": "estate://home/{id:int}", "to": "https://estate.example/homes/{id:int}"}`, with
/// `"values": {"tab": "map"}` for placeholders of the target that the first pattern does not have, or
/// `{"from": "estate://map", "disabled": true}`.
public struct RedirectRule: Sendable, Hashable {
  /// What becomes of the URLs.
  public enum Action: Sendable, Hashable {
    /// They lead to this pattern; values of the same name are carried over, others are given here.
    case redirect(to: String, values: [String: String])
    /// No route answers them; the fallbacks are asked.
    case disable
  }

  /// The pattern of the URLs that the rule concerns.
  public let from: String
  /// What becomes of them.
  public let action: Action

  /// Makes a rule; it is checked when its table is applied.
  public init(from: String, action: Action) {
    self.from = from
    self.action = action
  }

  /// Makes a rule that leads URLs of one pattern to another.
  public static func redirect(
    _ from: String, to target: String, values: [String: String] = [:]
  ) -> RedirectRule {
    RedirectRule(from: from, action: .redirect(to: target, values: values))
  }

  /// Makes a rule that takes a route, or a part of its URLs, out of service.
  ///
  /// The rule concerns one pattern: a route with aliases takes a rule for each. Typed calls go by the route's
  /// own pattern.
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

  /// Reads a rule that has either a target or `disabled: true`.
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

  /// Writes the rule in the form that is read.
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
