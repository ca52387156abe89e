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
    package init(waitingRequests: Int = 0, runningRequests: Int = 0, openConnections: Int = 0) {
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

/// The numbers of requests and sockets that a loop holds.
package struct TransferCensus: Sendable, Hashable {
  package var waiting = 0
  package var running = 0
  package var transfers = 0
  /// Transfers whose responses are being streamed.
  package var streams = 0
  /// Requests that have neither started nor failed.
  package var unanswered = 0
  /// Open sockets, also those of idle connections.
  package var sockets = 0

  /// Whether no request is held; idle connections may be open.
  package var isEmpty: Bool {
    waiting == 0 && running == 0 && transfers == 0 && streams == 0 && unanswered == 0
  }
}

extension CurlDispatcher {
  /// Counts what the first thread holds after every command posted before; all numbers are 0 after a
  /// shutdown.
  package func census() async -> TransferCensus { await owner.census() }
}
