/// Something that reports the state of the network to a ``NetworkMonitor``.
public protocol NetworkSource: Sendable {
  /// Returns the current state, if it is known, and then the state after each change.
  ///
  /// Each call returns a separate stream. Intermediate states may be skipped, and states may repeat. What
  /// the stream needs is released when its reader ends.
  ///
  /// - Throws: ``NetworkMonitorError`` if the network can't be monitored.
  func states() throws(NetworkMonitorError) -> AsyncStream<NetworkState>
}
