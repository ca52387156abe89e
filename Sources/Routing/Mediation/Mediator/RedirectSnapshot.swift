/// The rules by which a `RouteRedirector` redirects one call; they never change.
public protocol RedirectSnapshot: Sendable {
  /// The version of the rules, for observers.
  var version: Int { get }

  /// Returns the URL to which a URL is redirected, with the index of the rule; nil if no rule applies.
  ///
  /// - Parameter pattern: The pattern of a route that the URL matches; nil if no route matches.
  /// - Throws: `RouteError.notFound` if the rules disable the URL; `RouteError.parameter` if the new URL
  ///   cannot carry a value.
  func redirect(
    _ url: RouteURL, matching pattern: RoutePattern?
  ) throws(RouteError) -> (url: String, rule: Int)?

  /// Returns whether the rules disable all URLs of a route's own pattern.
  ///
  /// Decides about calls by value whose values no URL can carry.
  func disables(_ pattern: RoutePattern) -> Bool
}
