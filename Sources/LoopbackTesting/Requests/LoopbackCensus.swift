/// What a loopback server counts, so that a test can assert that nothing is left open.
public struct LoopbackCensus: Sendable, Hashable {
  /// The connections that were accepted since the start.
  public internal(set) var acceptedConnections = 0
  /// The connections that are open.
  public internal(set) var openConnections = 0
  /// The requests whose head has arrived since the start.
  public internal(set) var begunRequests = 0
  /// The requests whose whole content has arrived since the start.
  public internal(set) var receivedRequests = 0
  /// The exchanges that run: a request's head has arrived, and neither is its answer over nor its stream
  /// closed.
  public internal(set) var openExchanges = 0
  /// The bytes of content that were handed to the socket since the start.
  public internal(set) var sentBytes: Int64 = 0
}
