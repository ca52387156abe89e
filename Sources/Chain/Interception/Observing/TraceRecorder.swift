import HTTPTypes
import Synchronization

/// An observer that collects the events of each request into a trace, and keeps the most recent traces.
public final class TraceRecorder: PipelineObserver {
  private struct State {
    var traces: [RequestID: Trace] = [:]
    var order: [RequestID] = []
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let whenFinished: (@Sendable (Trace) -> Void)?

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of traces; the oldest ones are evicted.
  ///   - whenFinished: Called with each trace when its call ends.
  public init(capacity: Int = 256, whenFinished: (@Sendable (Trace) -> Void)? = nil) {
    self.capacity = max(1, capacity)
    self.whenFinished = whenFinished
  }

  /// The recorded traces, oldest first.
  public var traces: [Trace] { state.withLock { state in state.order.compactMap { state.traces[$0] } } }

  /// Returns the trace of a request, or nil if none is recorded or it has been evicted.
  public func trace(of request: RequestID) -> Trace? { state.withLock { $0.traces[request] } }

  /// Records an event.
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
