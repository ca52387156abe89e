public import Mediation

/// Lets a web page call routes of the app and sends it the replies.
///
/// Use it for a page in a web view whose script needs the app: a price, a login, a share sheet. For a page
/// that only opens links, `Mediator.receive` is enough. A page reaches a route only if the app lists the
/// route here and the route's own exposure admits the page's host. No guard or redirect table can lead the
/// page to another route. Unknown, unlisted and unexposed routes all give the same reply. Create a bridge for
/// each document that is loaded, with the URL that the web view reports, and close it when the user leaves
/// the document.
public final class PageBridge: Sendable {
  private let caller: PageCaller
  private let limits: PageCallLimits
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
    mediator: Mediator, page: String, methods: [PageMethod], limits: PageCallLimits = PageCallLimits(),
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
  package var count: Int { calls.count }

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
