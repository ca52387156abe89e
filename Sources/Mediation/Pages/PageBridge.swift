/// Lets a web page call routes of the app and sends it the replies.
///
/// Use it for a page in a web view whose script needs the app: a price, a login, a share sheet. For a page
/// that only opens links, `Mediator.receive` is enough. A page reaches a route only if the app lists the
/// route here and the route's own exposure admits the page's host; a guard or a redirect table cannot lead it
/// to another route. Unknown, unlisted and unexposed routes all give the same reply. Create a bridge for each
/// document that is loaded, with the URL that the web view reports, and close it when the user leaves the
/// document.
public final class PageBridge: Sendable {
  private let mediator: Mediator
  private let page: String
  private let origin: Origin
  private let methods: [String: PageMethod]
  private let limits: PageLimits
  private let desk: PageDesk

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
      guard names.updateValue(method, forKey: method.name) == nil, types.insert(method.type).inserted else {
        throw .method(method.name)
      }
    }
    self.mediator = mediator
    self.page = page
    origin = .external(.web(host: head.host))
    self.methods = names
    self.limits = limits
    desk = PageDesk(limits, send)
  }

  deinit { desk.close() }

  /// The number of calls in progress.
  public var count: Int { desk.count }

  /// Starts a call of the page and returns at once; its outcome is sent as replies.
  ///
  /// Exactly one reply ends the call, after any number of progress replies.
  ///
  /// - Throws: `PageBridgeError` if no reply can report the fault: the id is in use or invalid, replies are
  ///   not consumed, or the bridge is closed.
  public func receive(_ call: PageCall) throws(PageBridgeError) {
    guard (1...max(1, limits.id)).contains(call.id.utf8.count) else { throw .illegalID }
    let refusal: PageFailure? = limits.admits(call.target) ? nil : .tooLarge
    let caller = (mediator, origin, page, methods)
    try desk.begin(call.id, refusal: refusal) { line in
      await Self.run(call.target, caller, line)
    }
  }

  /// Cancels the page's calls; from now on no reply is sent, except one that is being sent already.
  public func close() { desk.close() }

  private static func run(
    _ target: PageCall.Target,
    _ page: (mediator: Mediator, origin: Origin, url: String, methods: [String: PageMethod]),
    _ line: ProgressLine
  ) async -> PageReply.Event {
    let caller = Caller(
      origin: page.origin, opener: page.url, wantsResult: true, allowed: Set(page.methods.values.map(\.type)),
      progress: line)
    do throws(RouteError) {
      let url: String
      switch target {
      case .url(let text): url = text
      case .method(let name, let parameters):
        guard let method = page.methods[name] else {
          throw page.mediator.failure(.notFound(url: name), nil, name, page.origin)
        }
        url = try method.url(parameters)
      }
      switch try await page.mediator.open(url, caller: caller) {
      case let answer as any PageRepresentable: return .success(answer.pageValue)
      case nil, is Void: return .success(.null)
      case let answer?:
        throw .resultMismatch(expected: "PageRepresentable", got: String(describing: type(of: answer)))
      }
    } catch {
      return .failure(PageFailure(error))
    }
  }
}
