public import Mediation

/// A route that web pages may call by a name.
///
/// The route's exposure must admit the page's host as well: `.link([.web(host: …)])`.
public struct PageMethod: Sendable {
  /// The name that pages use.
  package let name: String
  let route: any Route.Type
  let pattern: RoutePattern

  /// Allows a route whose output can be sent to a page.
  public init<R: Route>(_ name: String, _ route: R.Type) where R.Output: PageRepresentable {
    self.init(name: name, route: route, pattern: R.pattern)
  }

  /// Allows a route without an output; the page receives null.
  public init<R: Route>(_ name: String, _ route: R.Type) where R.Output == Void {
    self.init(name: name, route: route, pattern: R.pattern)
  }

  private init(name: String, route: any Route.Type, pattern: RoutePattern) {
    self.name = name
    self.route = route
    self.pattern = pattern
  }

  /// Returns the URL of a call by name.
  func url(_ parameters: [String: String]) throws(RouteError) -> RouteURL {
    var output = RouteOutput(pattern)
    for (name, text) in parameters {
      if pattern.tailName == name {
        // The page's text is one value: splitting it would let the page choose the number of segments.
        output.set(name, toRest: [text])
      } else {
        output.set(name, to: text)
      }
    }
    return try output.url()
  }
}
