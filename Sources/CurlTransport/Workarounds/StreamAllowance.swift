/// How many requests the connections of an origin carry, and how many its server has shown to let each of
/// them.
///
/// Affected: libcurl before 8.0. It does not report the server's limit (SETTINGS_MAX_CONCURRENT_STREAMS of RFC
/// 9113, section 6.5.2). Before it has read it, it lets a connection carry a hundred requests, and sends each
/// one that is refused again over a connection of its own; afterwards it opens one for each request that
/// finds no room. Where a request leaves over another connection than those in use, these were full, and the
/// fullest one shows the limit, or less where some of its requests were over meanwhile. A connection that has
/// answered and carries more shows that more is allowed.
///
/// Upstream: since 8.0.0 requests that wait (`CURLOPT_PIPEWAIT`) take the next connection too ("allow waited
/// reuse also for subsequent connections" in its changes). Forty requests at once to a server that allows ten
/// open 25 connections on 7.88.1 and 1 or 2 on 8.14.1, without this. Delete it, and the departures that it is
/// told of, once the oldest supported version is 8.0.
struct StreamAllowance {
  /// Whether a library opens a connection for each request beyond the limit.
  static func isNeeded(by library: LoadedLibrary) -> Bool { library.version < LibraryVersion(8, 0) }

  private struct Connection {
    let port: Int
    var streams = 1
    /// Whether libcurl has read the server's limit: it comes before any answer.
    var hasAnswered = false
  }

  private var connections: [Connection] = []
  /// The most requests that a connection is known to carry at a time; nil as long as the server has shown no
  /// limit.
  private(set) var limit: Int?
  /// How many requests have left and are not over.
  private(set) var carried = 0

  /// A request leaves over the connection of a local port.
  mutating func enter(_ port: Int) {
    carried += 1
    guard let index = connections.firstIndex(where: { $0.port == port }) else {
      limit = connections.map(\.streams).max() ?? limit
      return connections.append(Connection(port: port))
    }
    connections[index].streams += 1
    let streams = connections[index].streams
    if connections[index].hasAnswered, let limit, streams > limit { self.limit = streams }
  }

  /// A request that left over the connection of a local port is over, or leaves over another one.
  mutating func leave(_ port: Int, hasAnswer: Bool) {
    guard let index = connections.firstIndex(where: { $0.port == port }) else { return }
    carried -= 1
    connections[index].streams -= 1
    connections[index].hasAnswered = connections[index].hasAnswered || hasAnswer
    if connections[index].streams == 0 { connections.remove(at: index) }
  }

  /// Whether one more request may start beside those that have.
  ///
  /// Where all connections are full, one request tries whether more is allowed, or opens another connection,
  /// and the rest wait for that. It doesn't try where a connection has not answered yet: libcurl doesn't know
  /// its limit.
  func hasRoom(beside running: Int) -> Bool {
    guard let limit else { return true }
    return running < limit * connections.count
      || (running == carried && connections.allSatisfy(\.hasAnswered))
  }
}
