import Synchronization

/// A reachability that somebody else sets: the app's network monitor, or a test.
public final class ReachabilityState: Reachability {
  private struct State {
    var status: NetworkStatus
    var listeners: [Int: AsyncStream<NetworkStatus>.Continuation] = [:]
    var lastListener = 0
  }

  private let state: Mutex<State>

  /// Makes a state; ``NetworkStatus/unknown`` by default, which lets everything be tried.
  public init(_ status: NetworkStatus = .unknown) { state = Mutex(State(status: status)) }

  deinit { for listener in state.withLock({ $0.listeners.values }) { listener.finish() } }

  /// What is known right now.
  public var status: NetworkStatus { state.withLock { $0.status } }

  /// What is known, now and after each change; it ends with the state.
  ///
  /// Each call gives a stream of its own. A reader that falls behind misses what was true in between and gets
  /// the latest.
  public var changes: AsyncStream<NetworkStatus> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NetworkStatus.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = continuation
      // Under the lock, so that no change can come before it.
      continuation.yield(state.status)
      return state.lastListener
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  /// How many streams of changes are read.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Takes note of a change; what is known already is no news.
  public func update(_ status: NetworkStatus) {
    state.withLock { state in
      guard state.status != status else { return }
      state.status = status
      for listener in state.listeners.values { listener.yield(status) }
    }
  }
}
