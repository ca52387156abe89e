import BodyFormats
import HTTPTypes
import Interception
public import Mediation
public import PageBridging
import Synchronization

/// The routes of the app that pages of a ``PageHandler`` may call, by a path of their own site.
///
/// ```swift
/// PageCalling(path: "/app-calls", mediator: mediator, methods: [PageMethod("price", PriceRoute.self)])
/// ```
///
/// A page posts a `PageCall` as JSON to the path. The response has one JSON text in each line, the
/// `PageReply` values of the call, of which the last one ends it. Only pages of the site itself may call, and
/// a route's exposure must admit the site. Nothing is sent to the network.
public struct PageCalling: Sendable {
  let path: String
  private let mediator: Mediator
  private let methods: [PageMethod]
  private let limits: PageCallLimits
  private let running = CallCount()

  /// Allows pages to call routes.
  ///
  /// - Parameters:
  ///   - path: The path, which no file of the site has.
  ///   - methods: The routes that pages may call.
  ///   - limits: The limits of all pages together.
  public init(
    path: String = "/app-calls", mediator: Mediator, methods: [PageMethod],
    limits: PageCallLimits = PageCallLimits()
  ) {
    self.path = path
    self.mediator = mediator
    self.methods = methods
    self.limits = limits
  }

  /// Checks that the pages of a site can call the methods.
  func check(site: String) throws(PageHandlerError) {
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy(PercentEncoding.isLegal),
      !path.utf8.contains(where: { "?#".utf8.contains($0) })
    else { throw .callPath(path) }
    do throws(PageBridgeError) { _ = try bridge(for: "https://\(site)/") { _ in } } catch {
      throw .calls("\(error)")
    }
  }

  /// Answers a call, which the handler has mapped to https.
  func response(to request: Request, site: String) async throws(NetworkError) -> Response {
    let fields = request.head.headerFields
    guard request.head.method == .post else {
      return Response(status: .methodNotAllowed, headerFields: [.allow: "POST"])
    }
    // A form of another site can neither have its type nor its origin.
    guard fields.mediaType.map(MediaTypeSyntax.essence) == "application/json" else {
      return Response(status: .unsupportedMediaType)
    }
    guard Self.isOwn(fields, site: site) else { return Response(status: .forbidden) }
    let bytes: [UInt8]
    do throws(NetworkError) {
      // In JSON a character may be written as an escape of six bytes.
      bytes = try await request.body.collect(upTo: 6 * (limits.size + limits.id) + 1_024)
    } catch {
      guard case .bodyTooLarge = error.kind else { throw error }
      return Response(status: .contentTooLarge)
    }
    guard let call = try? JSONCoding().decode(PageCall.self, from: bytes) else {
      return Response(status: .badRequest)
    }
    let referrer = fields.singleValue(.referer).flatMap { URIReference($0).authority == site ? $0 : nil }
    let replies = PageReplies()
    guard running.begin(upTo: limits.calls) else {
      replies.take(PageReply(id: call.id, event: .failure(.busy)))
      return Self.answer(with: replies)
    }
    do throws(PageBridgeError) {
      let bridge = try bridge(for: referrer ?? "https://\(site)/", send: replies.take)
      replies.open(bridge) { [running] in running.end() }
      try bridge.receive(call)
    } catch {
      // The count ends with the replies, or here if there is no bridge.
      if !replies.close() { running.end() }
      return Response(status: .badRequest)
    }
    return Self.answer(with: replies)
  }

  private func bridge(
    for page: String, send: @escaping @Sendable (PageReply) -> Void
  ) throws(PageBridgeError) -> PageBridge {
    try PageBridge(mediator: mediator, page: page, methods: methods, limits: limits, send: send)
  }

  private static func answer(with replies: PageReplies) -> Response {
    Response(
      HTTPResponse(
        status: .ok, headerFields: [.contentType: "application/x-ndjson", .cacheControl: "no-store"]),
      body: .stream(BodyStream(length: nil, replies)))
  }

  /// Whether a page of the site itself calls; browsers state it in fields that scripts can't set.
  private static func isOwn(_ fields: HTTPFields, site: String) -> Bool {
    if fields.contains(where: { $0.name == .origin }) {
      return fields.singleValue(.origin) == "https://\(site)"
    }
    return HTTPField.Name("Sec-Fetch-Site").flatMap { fields.singleValue($0) } == "same-origin"
  }
}

/// The number of calls in progress.
private final class CallCount: Sendable {
  private let count = Mutex(0)

  func begin(upTo limit: Int) -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  func end() { count.withLock { $0 -= 1 } }
}

/// The replies to one call as lines of JSON; releasing or cancelling it cancels the call.
private final class PageReplies: ByteSource {
  private struct State {
    var bridge: PageBridge?
    var onEnd: (@Sendable () -> Void)?
    var isEnded = false
  }

  // Progress that is not read is dropped, but never the last reply, which is the newest.
  private let replies = AsyncStream.makeStream(of: PageReply.self, bufferingPolicy: .bufferingNewest(16))
  private let state = Mutex(State())

  deinit { close() }

  /// Retains the bridge until the last reply.
  func open(_ bridge: PageBridge, onEnd: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.bridge = bridge
      state.onEnd = onEnd
    }
  }

  func take(_ reply: PageReply) {
    replies.continuation.yield(reply)
    if case .progress = reply.event { return }
    replies.continuation.finish()
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    var iterator = replies.stream.makeAsyncIterator()
    guard let reply = await iterator.next() else {
      let wasEnded = state.withLock { $0.isEnded }
      close()
      guard !wasEnded, !Task.isCancelled else {
        throw NetworkError(.cancelled(.task), "The page's call was cancelled.")
      }
      return nil
    }
    do {
      return try JSONCoding().encoded(reply) + [UInt8(ascii: "\n")]
    } catch {
      throw NetworkError(
        .rejected, "The reply to a page's call cannot be written as JSON.", underlying: error)
    }
  }

  func cancel() { close() }

  /// Cancels the call unless it has ended; returns whether it had begun.
  @discardableResult func close() -> Bool {
    let (bridge, onEnd) = state.withLock { state in
      defer { (state.bridge, state.onEnd, state.isEnded) = (nil, nil, true) }
      return (state.bridge, state.onEnd)
    }
    bridge?.close()
    replies.continuation.finish()
    onEnd?()
    return bridge != nil
  }
}
