/// The requests on each connection of an origin, and the limit of streams per connection that its server has
/// shown.
///
/// Affected: libcurl before 8.0. It does not report the server's limit (SETTINGS_MAX_CONCURRENT_STREAMS of
/// RFC 9113, section 6.5.2), and opens a connection for each request beyond the limit, or beyond a hundred
/// before it has read the limit. So a request that is sent over a new connection shows that the others are
/// full: the fullest one carries as many streams as the limit, or fewer if some have ended. A connection that
/// has responded and carries more shows a higher limit.
///
/// Upstream: since 8.0.0 requests that wait (`CURLOPT_PIPEWAIT`) also take later connections ("allow waited
/// reuse also for subsequent connections" in its changes). Without this, forty requests at once to a server
/// that allows ten open 25 connections on 7.88.1, and 1 or 2 on 8.14.1. Delete this and the departures once
/// the oldest supported version is 8.0.
struct StreamAllowance {
  static func isNeeded(by library: LoadedLibrary) -> Bool { library.version < LibraryVersion(8, 0) }

  private struct Connection {
    let port: Int
    var streams = 1
    /// Whether libcurl has read the server's limit, which comes before any response.
    var hasAnswered = false
  }

  private var connections: [Connection] = []
  /// The maximum number of streams per connection; nil until the server has shown it.
  private(set) var limit: Int?
  /// The number of requests that were sent and have not ended.
  private(set) var carried = 0

  /// A request is sent over the connection of a local port.
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

  /// A request on the connection of a local port has ended, or is sent over another one.
  mutating func leave(_ port: Int, hasAnswer: Bool) {
    guard let index = connections.firstIndex(where: { $0.port == port }) else { return }
    carried -= 1
    connections[index].streams -= 1
    connections[index].hasAnswered = connections[index].hasAnswered || hasAnswer
    if connections[index].streams == 0 { connections.remove(at: index) }
  }

  /// Whether one more request may start.
  ///
  /// If all connections are full and have responded, one request at a time tries whether the limit is higher,
  /// or opens another connection. Before that, libcurl does not know their limits.
  func hasRoom(beside running: Int) -> Bool {
    guard let limit else { return true }
    return running < limit * connections.count
      || (running == carried && connections.allSatisfy(\.hasAnswered))
  }
}
