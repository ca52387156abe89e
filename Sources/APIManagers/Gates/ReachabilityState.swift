import Synchronization

/// A reachability that somebody else sets: the app's network monitor, or a test.
public final class ReachabilityState: Reachability {
  private let state: Mutex<NetworkStatus>

  /// Makes a state; ``NetworkStatus/unknown`` by default, which lets everything be tried.
  public init(_ status: NetworkStatus = .unknown) { state = Mutex(status) }

  /// What is known right now.
  public var status: NetworkStatus { state.withLock { $0 } }

  /// Takes note of a change.
  public func update(_ status: NetworkStatus) { state.withLock { $0 = status } }
}
