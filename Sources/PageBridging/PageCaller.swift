public import Mediation

/// Runs the calls of one page with its permissions.
///
/// Does not retain the bridge, so that a bridge which is released cancels its calls.
struct PageCaller: Sendable {
  let mediator: Mediator
  /// The URL of the page.
  let page: String
  let host: String
  let methods: [String: PageMethod]

  /// Runs a call and returns its final reply.
  func run(_ target: PageCall.Target, progress: @escaping PageCalls.Progress) async -> PageReply.Event {
    do throws(RouteError) {
      let answer = try await mediator.open(
        try url(of: target), from: .web(host: host), opener: page, limitedTo: methods.values.map(\.route),
        progress: progress)
      switch answer {
      case let answer as any PageRepresentable: return .success(answer.pageValue)
      case nil, is Void: return .success(.null)
      case let answer?:
        throw .resultMismatch(expected: "PageRepresentable", got: String(describing: type(of: answer)))
      }
    } catch {
      return .failure(PageFailure(error))
    }
  }

  private func url(of target: PageCall.Target) throws(RouteError) -> String {
    switch target {
    case .url(let text): return text
    case .method(let name, let parameters):
      guard let method = methods[name] else {
        throw mediator.failure(.notFound(url: name), nil, name, .external(.web(host: host)))
      }
      return try method.url(parameters).text
    }
  }
}

/// A route that web pages may call by a name.
///
/// The route's exposure must admit the page's host as well: `.link([.web(host: …)])`.
public struct PageMethod: Sendable {
  /// The name that pages use.
  public let name: String
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
