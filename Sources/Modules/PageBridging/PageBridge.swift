public import Mediation

/// Lets a web page call routes of the app and sends it the replies.
///
/// Use it for a page in a web view whose script needs the app: a price, a login, a share sheet. For a page
/// that only opens links, `Mediator.receive` is enough. A page reaches a route only if the app lists the
/// route here and the route's own exposure admits the page's host; a guard or a redirect table cannot lead it
/// to another route. Unknown, unlisted and unexposed routes all give the same reply. Create a bridge for each
/// document that is loaded, with the URL that the web view reports, and close it when the user leaves the
/// document.
public final class PageBridge: Sendable {
  private let caller: PageCaller
  private let limits: PageLimits
  private let calls: PageCalls

  /// Creates the bridge of a page.
  ///
  /// - Parameters:
  ///   - page: The URL of the document, as the web view reports it; it becomes the opener of the page's
  ///     calls.
  ///   - methods: The routes that the page may call.
  ///   - send: Passes a reply to the page. Called from any task, one reply at a time and in order. Keep it
  ///     fast.
  /// - Throws: `PageBridgeError` if the page's URL is not an `https` URL with the default port, or if two
  ///   methods have the same name or route.
  public init(
    mediator: Mediator, page: String, methods: [PageMethod], limits: PageLimits = PageLimits(),
    send: @escaping @Sendable (PageReply) -> Void
  ) throws(PageBridgeError) {
    guard let head = try? URLHead(page), head.scheme == "https", head.port == nil else { throw .insecurePage }
    var names: [String: PageMethod] = [:]
    var types: Set<ObjectIdentifier> = []
    for method in methods {
      guard names.updateValue(method, forKey: method.name) == nil,
        types.insert(ObjectIdentifier(method.route)).inserted
      else { throw .method(method.name) }
    }
    caller = PageCaller(mediator: mediator, page: page, host: head.host, methods: names)
    self.limits = limits
    calls = PageCalls(limits, send)
  }

  deinit { calls.close() }

  /// The number of calls in progress.
  public var count: Int { calls.count }

  /// Starts a call of the page and returns at once; its outcome is sent as replies.
  ///
  /// Exactly one reply ends the call, after any number of progress replies.
  ///
  /// - Throws: `PageBridgeError` if no reply can report the fault: the id is in use or invalid, replies are
  ///   not consumed, or the bridge is closed.
  public func receive(_ call: PageCall) throws(PageBridgeError) {
    guard (1...max(1, limits.id)).contains(call.id.utf8.count) else { throw .illegalID }
    let refusal: PageFailure? = limits.admits(call.target) ? nil : .tooLarge
    try calls.begin(call.id, refusal: refusal) { [caller] progress in
      await caller.run(call.target, progress: progress)
    }
  }

  /// Cancels the page's calls; from now on no reply is sent, except one that is being sent already.
  public func close() { calls.close() }
}

/// Limits for the calls of a web page.
public struct PageLimits: Sendable, Hashable {
  /// The maximum number of calls in progress; at least 1.
  public let calls: Int
  /// The maximum length of a call's id, in bytes.
  public let id: Int
  /// The maximum size of the URL, or of the name and the parameters together, in bytes.
  public let size: Int

  /// Creates the limits.
  public init(calls: Int = 16, id: Int = 64, size: Int = 8 * 1024) {
    self.calls = max(1, calls)
    self.id = id
    self.size = size
  }

  /// Returns whether the texts of a call are within the limit.
  func admits(_ target: PageCall.Target) -> Bool {
    switch target {
    case .url(let url): url.utf8.count <= size
    case .method(let name, let parameters):
      parameters.reduce(name.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count } <= size
    }
  }
}

/// A fault of a page or of a call that no reply can report.
public enum PageBridgeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The page's URL is not an `https` URL with the default port.
  case insecurePage
  /// Two methods have the same name or the same route.
  case method(String)
  /// A call with this id is in progress, and each id gets only one final reply.
  case duplicateID
  /// The id is empty or too long.
  case illegalID
  /// The bridge is closed.
  case closed
  /// The page calls faster than it consumes its replies.
  case flooded

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .insecurePage:
      "Only https pages on the default port may call the app: load the page from an https host."
    case .method(let name):
      "The method \"\(name)\" or its route is listed twice: remove one."
    case .duplicateID: "A call with this id is in progress: let the page use a new id for each call."
    case .illegalID: "The id of the call is empty or too long: let the page use short ids, such as numbers."
    case .closed: "The bridge is closed: create one for each document that is loaded."
    case .flooded:
      "The page calls faster than it consumes its replies: the call was dropped; call less often."
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
