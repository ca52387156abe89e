import Mediation
import Synchronization

/// A document with a script, as a web view shows it, and the bridge by which it calls the app.
///
/// A real web view hands the replies to the page as they come. A browser asks by HTTP, so here the replies of
/// a call are kept until the last.
final class WebDocument: Sendable {
  private struct Call {
    var replies: [PageReply] = []
    var waiter: CheckedContinuation<[PageReply], Never>?
  }

  /// Collects the replies of each call; apart from the document, which the bridge must not keep alive.
  private final class Desk: Sendable {
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

    /// Ends a call, or all, without a last reply.
    func end(_ id: String? = nil) {
      let ended = calls.withLock { calls in
        if let id { return calls.removeValue(forKey: id).map { [$0] } ?? [] }
        defer { calls = [:] }
        return Array(calls.values)
      }
      for call in ended { call.waiter?.resume(returning: call.replies) }
    }
  }

  /// Proves that a call comes from this document.
  let token: String
  private let bridge: PageBridge
  private let desk = Desk()

  /// Makes the document of a page.
  ///
  /// - Parameter page: The page's own URL, as a web view has it, whatever shows it here.
  init(page: String, methods: [PageMethod], mediator: Mediator, token: String) throws(PageBridgeError) {
    self.token = token
    bridge = try PageBridge(mediator: mediator, page: page, methods: methods) { [desk] in desk.take($0) }
  }

  /// Lets the page call the app; its replies, the last one last, or none if the document was left.
  func answer(_ call: PageCall) async throws(PageBridgeError) -> [PageReply] {
    var fault: PageBridgeError?
    let replies = await withCheckedContinuation { waiter in
      guard desk.begin(call.id, waiter) else {
        fault = .duplicateID
        waiter.resume(returning: [])
        return
      }
      do throws(PageBridgeError) {
        try bridge.receive(call)
      } catch {
        fault = error
        desk.end(call.id)
      }
    }
    if let fault { throw fault }
    return replies
  }

  /// Cancels what the page has asked for.
  func close() {
    bridge.close()
    desk.end()
  }
}
