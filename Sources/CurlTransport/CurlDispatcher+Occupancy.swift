extension CurlDispatcher {
  /// The numbers of requests and connections of a dispatcher at one moment.
  public struct Occupancy: Sendable, Hashable {
    /// The requests that wait for a connection, a stream or their turn.
    public var waitingRequests = 0
    /// The requests that are being sent or whose responses are being received or read.
    public var runningRequests = 0
    /// The open connections: those being established, in use, and idle.
    public var openConnections = 0

    /// Creates an occupancy; empty by default.
    public init(waitingRequests: Int = 0, runningRequests: Int = 0, openConnections: Int = 0) {
      self.waitingRequests = waitingRequests
      self.runningRequests = runningRequests
      self.openConnections = openConnections
    }
  }

  /// Counts the requests and connections of the dispatcher, on all of its threads.
  ///
  /// Call it from time to time to feed gauges, or to look at a dispatcher that seems slow. It waits for the
  /// dispatcher's threads, which respond between two steps of their work, and starts none: a dispatcher that
  /// has sent nothing, or was shut down, is empty.
  ///
  /// ```swift
  /// let occupancy = await dispatcher.occupancy()
  /// print("\(occupancy.waitingRequests) waiting, \(occupancy.openConnections) connections")
  /// ```
  public func occupancy() async -> Occupancy {
    var sum = Occupancy()
    for owner in owners {
      let census = await owner.census()
      sum.waitingRequests += census.waiting
      sum.runningRequests += census.running
      sum.openConnections += census.sockets
    }
    return sum
  }
}
