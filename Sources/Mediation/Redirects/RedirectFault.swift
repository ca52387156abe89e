/// One thing that is wrong in a redirect table, and the rule it is in.
public struct RedirectFault: Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// A pattern's text is faulty.
    case pattern(RoutePatternError)
    /// A pattern's scheme or host is not one that rules may name.
    case foreign(scheme: String, host: String)
    /// Another rule concerns the same URLs.
    case duplicate(of: Int, sampleURL: String)
    /// Another rule concerns some of the URLs, and neither is the more specific.
    case overlap(with: Int, sampleURL: String)
    /// A route answers some of the URLs, and neither is the more specific.
    case overlapsRoute(RoutePlace, sampleURL: String)
    /// No route answers the target's URLs.
    case noTarget(String)
    /// Nothing gives a placeholder of the target its value.
    case missing(name: String)
    /// A value that the rule gives has no placeholder in the target.
    case undeclared(name: String)
    /// The rule gives a value that the pattern carries as well.
    case twice(name: String)
    /// A value does not always fit its placeholder in the target.
    case unfit(name: String)
    /// The target is not open to all callers of the route in whose place it would answer.
    case exposure(of: RoutePlace)
    /// The target answers another type than the route in whose place it would answer.
    case answer(expected: String, got: String)
    /// Rules lead in a circle, through these.
    case loop([Int])
    /// The way from this rule to a route takes more than so many redirects.
    case tooManyHops(limit: Int)
    /// No route answers URLs of the pattern that is to be disabled.
    case disablesNothing
  }

  /// The rule, counted from 0.
  public let rule: Int
  /// What is wrong with it.
  public let reason: Reason

  /// Which rule, what is wrong, and what to do.
  public var description: String { "Rule \(rule): \(sentence)" }

  private var sentence: String {
    switch reason {
    case .pattern(let error): "\(error)"
    case .foreign(let scheme, let host):
      "\(scheme)://\(host) is not the app's; use one of its schemes, or https with one of its hosts."
    case .duplicate(let other, let url):
      "rule \(other) concerns the same URLs, such as \(url); remove one."
    case .overlap(let other, let url):
      "rule \(other) also concerns \(url) and neither is the more specific; change one of the patterns."
    case .overlapsRoute(let place, let url):
      "\(place) also answers \(url) and neither is the more specific; change the rule's pattern."
    case .noTarget(let target):
      "no route answers all URLs of \(target); lead to the pattern of a route that is in service."
    case .missing(let name):
      "nothing gives \"\(name)\" a value; name it in \"from\", or give it in \"values\"."
    case .undeclared(let name): "\"\(name)\" has no placeholder in the target; remove the value."
    case .twice(let name):
      "\"\(name)\" comes from the URL already; remove the value or rename the placeholder."
    case .unfit(let name):
      "\"\(name)\" does not always fit the target; give both placeholders one kind, both a tail or none, both optional or none."
    case .exposure(let place):
      "it leads to \(place), which is closed to some of the callers; lead to a route as open as the one replaced."
    case .answer(let expected, let got):
      "callers expect \(expected) and the target answers \(got); lead to a route of the same answer."
    case .loop(let rules):
      "the rules \(rules.map(String.init).joined(separator: " → ")) lead in a circle; lead to a route directly."
    case .tooManyHops(let limit): "it takes more than \(limit) redirects; lead to a route directly."
    case .disablesNothing: "no route answers its URLs; write the pattern of the route to disable."
    }
  }
}
