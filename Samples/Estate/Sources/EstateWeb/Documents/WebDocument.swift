import PageBridging
import Switchyard
import Synchronization

/// A document with a script, as a web view shows it, and the bridge by which it calls the app.
///
/// A web view would pass the replies on as they come. A browser calls over HTTP, so the replies to a call are
/// collected until the last one.
final class WebDocument: Sendable {
  private struct Call {
    var replies: [PageReply] = []
    var waiter: CheckedContinuation<[PageReply], Never>?
  }

  /// Collects the replies to each call.
  ///
  /// A class of its own, so that the bridge does not retain the document.
  private final class ReplyCollector: Sendable {
    private let calls = Mutex<[String: Call]>([:])

    func begin(_ id: String, _ waiter: CheckedContinuation<[PageReply], Never>) -> Bool {
      calls.withLock { calls in
        guard calls[id] == nil else { return false }
        calls[id] = Call(waiter: waiter)
        return true
      }
    }

    func take(_ reply: PageReply) {
      let ended = calls.withLock { calls in
        calls[reply.id]?.replies.append(reply)
        if case .progress = reply.event { return nil as Call? }
        return calls.removeValue(forKey: reply.id)
      }
      if let ended { ended.waiter?.resume(returning: ended.replies) }
    }

    /// Ends a call, or all calls, without a last reply.
    func end(_ id: String? = nil) {
      let ended = calls.withLock { calls in
        if let id { return calls.removeValue(forKey: id).map { [$0] } ?? [] }
        defer { calls = [:] }
        return Array(calls.values)
      }
      for call in ended { call.waiter?.resume(returning: call.replies) }
    }
  }

  let token: String
  private let bridge: PageBridge
  private let collector = ReplyCollector()

  /// Creates the document of a page.
  ///
  /// - Parameter page: The page's URL on the web site, not the one by which it is served here.
  init(page: String, methods: [PageMethod], mediator: Mediator, token: String) throws(PageBridgeError) {
    self.token = token
    bridge = try PageBridge(
      mediator: mediator, page: page, methods: methods, limits: PageCallLimits(calls: 4, size: 1_024)
    ) {
      [collector] in
      collector.take($0)
    }
  }

  /// Passes a call of the page to the app and returns all its replies, or none if the document was closed.
  func answer(_ call: PageCall) async throws(PageBridgeError) -> [PageReply] {
    var fault: PageBridgeError?
    let replies = await withCheckedContinuation { waiter in
      guard collector.begin(call.id, waiter) else {
        fault = .duplicateID
        waiter.resume(returning: [])
        return
      }
      do throws(PageBridgeError) {
        try bridge.receive(call)
      } catch {
        fault = error
        collector.end(call.id)
      }
    }
    if let fault { throw fault }
    return replies
  }

  func close() {
    bridge.close()
    collector.end()
  }
}
