#if LoopbackTesting

/// The counts of a loopback server, so that a test can assert that nothing is left open.
public struct LoopbackCounts: Sendable, Hashable {
  /// The number of accepted connections.
  package internal(set) var acceptedConnections = 0
  /// The number of open connections.
  public internal(set) var openConnections = 0
  /// The number of requests whose head has arrived.
  var begunRequests = 0
  /// The number of requests whose content has arrived completely.
  package internal(set) var receivedRequests = 0
  /// The number of exchanges whose request head has arrived, and whose response is not complete and stream
  /// not closed.
  package internal(set) var openExchanges = 0
  /// The number of content bytes written to sockets.
  var sentBytes: Int64 = 0
}
#endif
