/// A route that web pages may call, under a name.
///
/// The route's exposure must admit the page's host as well: `.link([.web(host: …)])`.
public struct PageMethod: Sendable {
  /// The name by which pages call it.
  public let name: String
  let type: ObjectIdentifier
  let pattern: RoutePattern

  /// Allows a route whose answer a page understands.
  public init<R: Route>(_ name: String, _ route: R.Type) where R.Output: PageRepresentable {
    self.init(name, ObjectIdentifier(route), R.pattern)
  }

  /// Allows a route without an answer; the page gets null.
  public init<R: Route>(_ name: String, _ route: R.Type) where R.Output == Void {
    self.init(name, ObjectIdentifier(route), R.pattern)
  }

  private init(_ name: String, _ type: ObjectIdentifier, _ pattern: RoutePattern) {
    self.name = name
    self.type = type
    self.pattern = pattern
  }

  /// The URL of a call by name.
  func url(_ parameters: [String: String]) throws(RouteError) -> String {
    var output = RouteOutput(pattern)
    for (name, text) in parameters {
      if case .rest(name)? = pattern.segments.last {
        // A text of the page is one value; splitting it here would let it choose the segments.
        output.set(name, toRest: [text])
      } else {
        output.set(name, to: text)
      }
    }
    return try output.url()
  }
}
