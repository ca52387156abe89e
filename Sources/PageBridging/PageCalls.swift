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

  init(_ limits: PageLimits, _ send: @escaping @Sendable (PageReply) -> Void) {
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
