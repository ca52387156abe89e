public import HTTPTypes
import Synchronization

extension BodyStream {
  /// The information about a streamed response that is available once it has ended; the transport sets it
  /// once.
  public final class Ending: Sendable {
    private struct State {
      var isFinished = false
      var trailers: HTTPFields?
      var transport: TransportReport?
      var waiting: [@Sendable (TransportReport?) -> Void] = []
    }

    private let state = Mutex(State())

    /// Creates an ending for a stream that has not ended.
    public init() {}

    /// The trailer fields; nil until the body has ended.
    public var trailers: HTTPFields? { state.withLock { $0.trailers } }

    /// The transport's complete report; nil until the body has ended.
    public var transport: TransportReport? { state.withLock { $0.transport } }

    /// Records the end; only the first call has an effect.
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

    /// Calls `notify` when the body ends, or immediately if it already has.
    package func whenFinished(_ notify: @escaping @Sendable (TransportReport?) -> Void) {
      let finished: TransportReport?? = state.withLock { state in
        if state.isFinished { return .some(state.transport) }
        state.waiting.append(notify)
        return .none
      }
      if let finished { notify(finished) }
    }
  }
}
