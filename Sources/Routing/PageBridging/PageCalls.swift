import Synchronization

/// Runs the calls of a page and sends the replies in order.
final class PageCalls: Sendable {
  /// Receives the progress reports of a call.
  typealias Progress = @Sendable (any Sendable) -> Void

  private struct State {
    var calls: PageCallState
    var tasks: [Int: Task<Void, Never>] = [:]
    var isSending = false
  }

  private let state: Mutex<State>
  private let send: @Sendable (PageReply) -> Void

  init(_ limits: PageCallLimits, _ send: @escaping @Sendable (PageReply) -> Void) {
    state = Mutex(State(calls: PageCallState(limit: limits.calls)))
    self.send = send
  }

  var count: Int { state.withLock { $0.calls.count } }

  /// Starts a call, or replies at once if it must not start.
  func begin(
    _ id: String, refusal: PageFailure?,
    _ work: @escaping @Sendable (@escaping Progress) async -> PageReply.Event
  ) throws(PageBridgeError) {
    let entry = state.withLock { state in
      let entry = state.calls.begin(id)
      switch entry {
      case .busy: state.calls.refuse(id, .busy)
      case .begins(let serial):
        if let refusal { state.calls.end(id, serial, .failure(refusal)) }
      case .duplicate, .flooded, .closed: break
      }
      return entry
    }
    switch entry {
    case .begins(let serial): if refusal == nil { start(id, serial, work) }
    case .busy: break
    case .duplicate: throw .duplicateID
    case .flooded: throw .flooded
    case .closed: throw .closed
    }
    deliver()
  }

  /// Cancels all calls; from now on no reply is sent, except one that is being sent already.
  func close() {
    let tasks = state.withLock { state in
      state.calls.close()
      defer { state.tasks = [:] }
      return state.tasks
    }
    for task in tasks.values { task.cancel() }
  }

  private func start(
    _ id: String, _ serial: Int, _ work: @escaping @Sendable (@escaping Progress) async -> PageReply.Event
  ) {
    let progress: Progress = { [weak self] value in
      guard let value = value as? any PageRepresentable else { return }
      self?.update { $0.report(id, serial, value.pageValue) }
    }
    let task = Task {
      let event = await work(progress)
      self.update { $0.end(id, serial, event) }
      self.state.withLock { $0.tasks[serial] = nil }
    }
    let isInProgress = state.withLock { state in
      // A call that is no longer in progress has ended already, or the bridge is closed.
      guard state.calls.isInProgress(id, serial) else { return false }
      state.tasks[serial] = task
      return true
    }
    if !isInProgress { task.cancel() }
  }

  private func update(_ body: (inout PageCallState) -> Void) {
    state.withLock { body(&$0.calls) }
    deliver()
  }

  /// Sends the waiting replies, unless another thread is sending: then that thread sends them, in order.
  private func deliver() {
    let isFirst = state.withLock { state in
      defer { state.isSending = true }
      return !state.isSending
    }
    guard isFirst else { return }
    while let reply = state.withLock({ state in
      let reply = state.calls.next()
      if reply == nil { state.isSending = false }
      return reply
    }) {
      send(reply)
    }
  }
}

/// The state of a page's calls and of the replies to be sent, without the waiting and sending.
///
/// Each call that begins gets exactly one final reply, and none after it. Memory is bounded by the maximum
/// number of calls: at most one progress reply and one final reply per call wait to be sent.
struct PageCallState: Sendable {
  /// What happens to a call that arrives.
  enum Entry: Sendable, Hashable {
    case begins(serial: Int)
    case duplicate
    case busy
    case flooded
    case closed
  }

  private let limit: Int
  private var serial = 0
  /// The calls in progress; the serial distinguishes a call from a later one with the same id.
  private var serials: [String: Int] = [:]
  private var outbox: [PageReply] = []
  private(set) var isClosed = false

  init(limit: Int) { self.limit = limit }

  var count: Int { serials.count }

  func isInProgress(_ id: String, _ serial: Int) -> Bool { serials[id] == serial }

  mutating func begin(_ id: String) -> Entry {
    if isClosed { return .closed }
    // An id whose final reply still waits to be sent is also in use.
    if serials[id] != nil || outbox.contains(where: { $0.id == id }) { return .duplicate }
    if outbox.count >= 3 * limit { return .flooded }
    if serials.count >= limit { return .busy }
    serial += 1
    serials[id] = serial
    return .begins(serial: serial)
  }

  /// Replies to a call that does not begin.
  mutating func refuse(_ id: String, _ failure: PageFailure) {
    outbox.append(PageReply(id: id, event: .failure(failure)))
  }

  mutating func report(_ id: String, _ serial: Int, _ value: PageValue) {
    guard serials[id] == serial else { return }
    let reply = PageReply(id: id, event: .progress(value))
    if let waiting = outbox.firstIndex(where: { $0.id == id }) {
      outbox[waiting] = reply
    } else {
      outbox.append(reply)
    }
  }

  mutating func end(_ id: String, _ serial: Int, _ event: PageReply.Event) {
    guard serials[id] == serial else { return }
    serials[id] = nil
    outbox.append(PageReply(id: id, event: event))
  }

  /// Removes and returns the next reply to send.
  mutating func next() -> PageReply? { outbox.isEmpty ? nil : outbox.removeFirst() }

  /// Discards all calls and replies.
  mutating func close() {
    isClosed = true
    serials = [:]
    outbox = []
  }
}
