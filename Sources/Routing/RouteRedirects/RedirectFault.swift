package import Mediation

/// A fault in a redirect table, with the rule that it concerns.
package struct RedirectFault: Sendable, Hashable, CustomStringConvertible {
  /// The kind of the fault.
  package enum Reason: Sendable, Hashable {
    /// A pattern is not well-formed.
    case pattern(RoutePattern.SyntaxError)
    /// A pattern's scheme or host is not one that rules may use.
    case foreign(scheme: String, host: String)
    /// Another rule applies to the same URLs.
    case duplicate(of: Int, sampleURL: String)
    /// Another rule applies to some of the URLs, and neither is more specific.
    case overlap(with: Int, sampleURL: String)
    /// A route matches some of the URLs, and neither is more specific.
    case overlapsRoute(RouteTable.Place, sampleURL: String)
    /// No route matches the target's URLs.
    case noTarget(String)
    /// A placeholder of the target gets no value.
    case missing(name: String)
    /// A value of the rule has no placeholder in the target.
    case undeclared(name: String)
    /// The rule contains a value that the pattern supplies too.
    case twice(name: String)
    /// A value does not always fit its placeholder in the target.
    case unfit(name: String)
    /// The target is not exposed to all callers of the route that it would replace.
    case exposure(of: RouteTable.Place)
    /// The target returns another type than the route that it would replace.
    case answer(expected: String, got: String)
    /// These rules form a loop.
    case loop([Int])
    /// Reaching a route from this rule takes more redirects than this limit.
    case tooManyHops(limit: Int)
    /// No route matches the URLs of the pattern to disable.
    case disablesNothing
  }

  /// The index of the rule, from 0.
  package let rule: Int
  /// The kind of the fault.
  package let reason: Reason

  /// Which rule, what is wrong, and what to do.
  package var description: String { "Rule \(rule): \(sentence)" }

  private var sentence: String {
    switch reason {
    case .pattern(let error): "\(error)"
    case .foreign(let scheme, let host):
      "\(scheme)://\(host) is not the app's; use one of its schemes, or https with one of its hosts."
    case .duplicate(let other, let url):
      "rule \(other) applies to the same URLs, such as \(url); remove one."
    case .overlap(let other, let url):
      "rule \(other) also applies to \(url) and neither is more specific; change one of the patterns."
    case .overlapsRoute(let place, let url):
      "\(place) also matches \(url) and neither is more specific; change the rule's pattern."
    case .noTarget(let target):
      "no route matches all URLs of \(target); use the pattern of a route that is not disabled."
    case .missing(let name):
      "\"\(name)\" gets no value; name it in \"from\", or set it in \"values\"."
    case .undeclared(let name): "\"\(name)\" has no placeholder in the target; remove the value."
    case .twice(let name):
      "\"\(name)\" is supplied by the URL already; remove the value or rename the placeholder."
    case .unfit(let name):
      "\"\(name)\" does not always fit the target; make both placeholders the same kind, both or neither a tail, "
        + "both or neither optional, and pass a text of the query, which may be empty, to the query."
    case .exposure(let place):
      "it leads to \(place), which is not exposed to all callers; use a route that is as open as the replaced one."
    case .answer(let expected, let got):
      "callers expect \(expected), but the target returns \(got); use a route with the same result type."
    case .loop(let rules):
      "the rules \(rules.map(String.init).joined(separator: " → ")) form a loop; redirect to a route directly."
    case .tooManyHops(let limit): "it takes more than \(limit) redirects; redirect to a route directly."
    case .disablesNothing: "no route matches its URLs; use the pattern of the route to disable."
    }
  }
}
