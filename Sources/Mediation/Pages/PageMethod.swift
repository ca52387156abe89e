/// A route that web pages may call by a name.
///
/// The route's exposure must admit the page's host as well: `.link([.web(host: …)])`.
public struct PageMethod: Sendable {
  /// The name that pages use.
  public let name: String
  let type: ObjectIdentifier
  let pattern: RoutePattern

  /// Allows a route whose output can be sent to a page.
  public init<R: Route>(_ name: String, _ route: R.Type) where R.Output: PageRepresentable {
    self.init(name, ObjectIdentifier(route), R.pattern)
  }

  /// Allows a route without an output; the page receives null.
  public init<R: Route>(_ name: String, _ route: R.Type) where R.Output == Void {
    self.init(name, ObjectIdentifier(route), R.pattern)
  }

  private init(_ name: String, _ type: ObjectIdentifier, _ pattern: RoutePattern) {
    self.name = name
    self.type = type
    self.pattern = pattern
  }

  /// Returns the URL of a call by name.
  func url(_ parameters: [String: String]) throws(RouteError) -> String {
    var output = RouteOutput(pattern)
    for (name, text) in parameters {
      if case .rest(name)? = pattern.segments.last {
        // The page's text is one value: splitting it would let the page choose the number of segments.
        output.set(name, toRest: [text])
      } else {
        output.set(name, to: text)
      }
    }
    return try output.url()
  }
}
