import Synchronization

/// Gathers the events of each request into a trace, and keeps the last ones.
public final class TraceRecorder: PipelineObserver {
  private struct State {
    var traces: [RequestID: Trace] = [:]
    var order: [RequestID] = []
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let whenFinished: (@Sendable (Trace) -> Void)?

  /// Makes a recorder.
  ///
  /// - Parameters:
  ///   - capacity: How many traces are kept; the oldest ones go first.
  ///   - whenFinished: Is handed each trace once its caller has the answer.
  public init(capacity: Int = 256, whenFinished: (@Sendable (Trace) -> Void)? = nil) {
    self.capacity = max(1, capacity)
    self.whenFinished = whenFinished
  }

  /// The traces that are kept, the oldest one first.
  public var traces: [Trace] { state.withLock { state in state.order.compactMap { state.traces[$0] } } }

  /// The trace of a request, while it is kept.
  public func trace(of request: RequestID) -> Trace? { state.withLock { $0.traces[request] } }

  /// Takes note of an event.
  public func observe(_ event: PipelineEvent) {
    let finished: Trace? = state.withLock { state in
      if case .started(let summary) = event.kind {
        if state.traces[event.request] == nil { state.order.append(event.request) }
        state.traces[event.request] = Trace(request: event.request, summary: summary)
        while state.order.count > capacity { state.traces[state.order.removeFirst()] = nil }
      }
      state.traces[event.request]?.take(event)
      guard case .finished = event.kind else { return nil }
      return state.traces[event.request]
    }
    if let finished { whenFinished?(finished) }
  }
}
