import Synchronization

/// The status of the network, as set by the app's network monitor, or by a test.
///
/// It rules out only requests that cannot succeed: while the status is ``NetworkStatus/unknown``, requests
/// are sent.
public final class ReachabilityState: Sendable {
  private struct State {
    var status: NetworkStatus
    var listeners: [Int: AsyncStream<NetworkStatus>.Continuation] = [:]
    var lastListener = 0
  }

  private let state: Mutex<State>

  /// Creates a state; by default ``NetworkStatus/unknown``, with which every request is sent.
  public init(_ status: NetworkStatus = .unknown) { state = Mutex(State(status: status)) }

  deinit { for listener in state.withLock({ $0.listeners.values }) { listener.finish() } }

  /// The current status.
  public var status: NetworkStatus { state.withLock { $0.status } }

  /// The current status and every later one, until the state is released.
  ///
  /// Each access returns a separate stream. A slow reader misses intermediate values and receives the latest
  /// one.
  public var changes: AsyncStream<NetworkStatus> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NetworkStatus.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = continuation
      // Yielded under the lock, so that no change precedes it.
      continuation.yield(state.status)
      return state.lastListener
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  /// The number of active streams of changes.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Sets the status; listeners are notified only if it changed.
  public func update(_ status: NetworkStatus) {
    state.withLock { state in
      guard state.status != status else { return }
      state.status = status
      for listener in state.listeners.values { listener.yield(status) }
    }
  }
}
