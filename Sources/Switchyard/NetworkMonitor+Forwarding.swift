public import APIManagers
public import NetworkMonitoring

#if !canImport(Darwin)
public import CurlTransport
#endif

extension NetworkMonitor {
  /// Passes the state of the network on to an app's reachability, until the task is cancelled.
  ///
  /// Without a network other than the loopback interface, loads fail at once as offline. While the state is
  /// unknown, they are sent. `URLSessionDispatcher` notices changes by itself.
  ///
  /// ```swift
  /// let forwarding = Task {
  ///   await monitor.forwardChanges(to: client.reachability) { _ in lists.networkDidChange() }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - reachability: The reachability of the app's `APIClient`.
  ///   - onChange: Called with each later state that differs from the one before.
  public func forwardChanges(
    to reachability: ReachabilityState, onChange: @Sendable (NetworkState) -> Void = { _ in }
  ) async {
    var former: NetworkState?
    for await state in changes {
      guard let isOnline = state.isOnline else {
        reachability.update(.unknown)
        continue
      }
      // Before requests are sent again, so that they don't use connections of the former network.
      if let former, former != state { onChange(state) }
      former = state
      reachability.update(isOnline ? .online : .offline)
    }
  }

  #if !canImport(Darwin)
  /// Passes the state of the network on to an app's reachability, and its changes to a dispatcher, until the
  /// task is cancelled.
  ///
  /// Without a network other than the loopback interface, loads fail at once as offline. While the state is
  /// unknown, they are sent. After a change, the dispatcher opens new connections.
  ///
  /// ```swift
  /// let forwarding = Task {
  ///   await monitor.forwardChanges(to: client.reachability, dispatcher: dispatcher) { _ in
  ///     bypass.networkDidChange()
  ///     lists.networkDidChange()
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - reachability: The reachability of the app's `APIClient`.
  ///   - dispatcher: The app's dispatcher.
  ///   - onChange: Called with each later state that differs from the one before.
  public func forwardChanges(
    to reachability: ReachabilityState, dispatcher: CurlDispatcher,
    onChange: @Sendable (NetworkState) -> Void = { _ in }
  ) async {
    await forwardChanges(to: reachability) { state in
      dispatcher.networkDidChange()
      onChange(state)
    }
  }
  #endif
}
