import Switchyard
import Synchronization

/// Notices that the machine has moved to another network.
///
/// It does not set the app's reachability, as `forwardChanges` of the umbrella `Switchyard` would: the
/// sample's server is on the loopback interface, so it is reached on a machine that has no network at all.
final class NetworkWatch: Sendable {
  private let monitor: NetworkMonitor
  private let onChange: @Sendable () -> Void
  private let following = Mutex<Task<Void, Never>?>(nil)

  /// Creates a watch, which does nothing before ``start()``.
  ///
  /// - Parameter onChange: Called after each change of the network.
  init(_ monitor: NetworkMonitor, onChange: @escaping @Sendable () -> Void) {
    self.monitor = monitor
    self.onChange = onChange
  }

  deinit { following.withLock { $0 }?.cancel() }

  /// What is known of the network: its kind, and the interfaces with an address.
  var line: String {
    let state = monitor.state
    let names = state.interfaces.map(\.name).joined(separator: ", ")
    return "This machine's network: \(state.kind)" + (names.isEmpty ? "" : " (\(names))")
  }

  /// Starts to watch.
  ///
  /// - Throws: `NetworkMonitorError` if the system does not report its network.
  func start() throws(NetworkMonitorError) {
    try monitor.start()
    following.withLock { following in
      following = Task { [changes = monitor.changes, onChange] in
        var former: NetworkState?
        // The state is unknown until the system has reported the first one.
        for await state in changes where state.kind != .unknown {
          if let former, former != state { onChange() }
          former = state
        }
      }
    }
  }
}
