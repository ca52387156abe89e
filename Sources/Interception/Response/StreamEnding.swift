public import HTTPTypes
import Synchronization

/// What is known of a streamed answer once it has ended; the transport writes it, at most once.
public final class StreamEnding: Sendable {
  private struct State {
    var isFinished = false
    var trailers: HTTPFields?
    var transport: TransportReport?
    var waiting: [@Sendable (TransportReport?) -> Void] = []
  }

  private let state = Mutex(State())

  /// Makes an ending that is still to come.
  public init() {}

  /// The fields after the body, once it has ended.
  public var trailers: HTTPFields? { state.withLock { $0.trailers } }

  /// The transport's full report, once the body has ended.
  public var transport: TransportReport? { state.withLock { $0.transport } }

  /// Notes the end; every call but the first one is ignored.
  public func finish(trailers: HTTPFields? = nil, transport: TransportReport? = nil) {
    let waiting: [@Sendable (TransportReport?) -> Void] = state.withLock { state in
      guard !state.isFinished else { return [] }
      state.isFinished = true
      state.trailers = trailers
      state.transport = transport
      defer { state.waiting = [] }
      return state.waiting
    }
    for notify in waiting { notify(transport) }
  }

  /// Calls `notify` when the body has ended, or at once when it has.
  package func whenFinished(_ notify: @escaping @Sendable (TransportReport?) -> Void) {
    let finished: TransportReport?? = state.withLock { state in
      if state.isFinished { return .some(state.transport) }
      state.waiting.append(notify)
      return .none
    }
    if let finished { notify(finished) }
  }
}
