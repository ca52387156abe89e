public import PeerReporting
import WebSockets

/// Many WebSockets of one dispatcher that carry no messages.
public struct IdleSockets: Sendable {
  private let sockets: [WebSocket]
  /// What the process had with one WebSocket open.
  private let before: ProcessStatus

  /// Opens one WebSocket and then `count` more, of which 64 connect at a time.
  ///
  /// With the first one, the dispatcher's thread, timers and what the libraries load are there.
  public init(_ count: Int, to url: String, pingInterval: Duration) async throws {
    let pipeline = try WebSocketLoad.pipeline(connections: count + 1)
    let connect: @Sendable () async throws -> WebSocket = {
      try await WebSocketLoad.connect(to: url, over: pipeline, pingInterval: pingInterval)
    }
    let first = try await connect()
    // The first timer of the process opens a descriptor.
    try await first.ping()
    before = try Self.status()
    sockets = try await withThrowingTaskGroup(of: [WebSocket].self) { group in
      let width = 64
      for start in 0..<min(width, count) {
        group.addTask {
          var sockets: [WebSocket] = []
          for _ in stride(from: start, to: count, by: width) { sockets.append(try await connect()) }
          return sockets
        }
      }
      var sockets = [first]
      for try await opened in group { sockets += opened }
      return sockets
    }
  }

  /// The number of WebSockets that are open, without the first one.
  public var openCount: Int { max(sockets.count { !$0.isClosed } - 1, 0) }

  /// Returns what the process has beyond what it had with one WebSocket open; all threads are counted.
  public func growth() throws -> ProcessStatus {
    var status = try Self.status()
    status.residentBytes -= before.residentBytes
    status.descriptors -= before.descriptors
    return status
  }

  private static func status() throws -> ProcessStatus {
    guard let status = ProcessStatus.now() else { throw MissingStatus() }
    return status
  }
}

/// A system without `/proc/self`.
private struct MissingStatus: Error {}
