import Foundation
import Synchronization

/// An HTTP/1.1 server on the loopback network that responds by a script, correctly or not.
///
/// ```swift
/// let server = try ScriptedServer { request in .text("You asked for \(request.target)") }
/// let faulty = try ScriptedServer(raw: { request, wire in
///   try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
///   wire.reset()
/// })
/// ```
///
/// Each connection has its own thread, so a handler may block. Releasing the server stops it.
public final class ScriptedServer: Sendable {
  /// Returns the response to a request whose body has been read.
  public typealias Script = @Sendable (_ request: ReceivedRequest) throws -> ScriptedReply
  /// Handles the connection of a request whose head has been read, in an arbitrary way.
  public typealias RawScript = @Sendable (_ request: ReceivedRequest, _ wire: WireConnection) throws -> Void

  private let engine: ServerEngine
  /// The port that the server listens on.
  public var port: Int { engine.port }
  /// The address and port as a URL's authority.
  public var authority: String { "\(engine.address):\(engine.port)" }

  /// Starts a server that responds by a closure.
  ///
  /// - Parameters:
  ///   - address: An address of the network 127.0.0.0/8.
  ///   - port: The port, or 0 for any free one.
  public convenience init(
    address: String = "127.0.0.1", port: Int = 0, _ script: @escaping Script
  ) throws {
    try self.init(address: address, port: port) { request, wire in
      var request = request
      var body: [UInt8] = []
      try wire.readBody(of: request) { body += $0 }
      request.body = body
      let reply = try script(request)
      try wire.send(reply.bytes(hasBody: request.method != "HEAD"))
      if case .close = reply.framing { return }
      if request.value(of: "Connection")?.lowercased() != "close" { wire.stayOpen() }
    }
  }

  /// Starts a server whose closure writes to the connection itself.
  public init(address: String = "127.0.0.1", port: Int = 0, raw script: @escaping RawScript) throws {
    engine = try ServerEngine(address: address, port: port, script: script)
    engine.start()
  }

  deinit { engine.stop() }

  /// The current counts.
  public var counts: ServerCounts { engine.counts.value }

  /// Returns the counts as soon as they satisfy a condition.
  @discardableResult
  public func wait(
    fileID: String = #fileID, line: Int = #line, until condition: @escaping @Sendable (ServerCounts) -> Bool
  ) async throws -> ServerCounts {
    try await engine.counts.wait(fileID: fileID, line: line, until: condition)
  }

  /// The heads of the requests so far, in order of arrival.
  public var requests: [ReceivedRequest] { engine.requests.withLock { $0 } }

  /// Removes the requests so far, which would take memory.
  public func removeRequests() { engine.requests.withLock { $0 = [] } }

  /// Closes the listening socket and all connections.
  public func stop() { engine.stop() }

  /// Stops accepting connections; open ones continue.
  public func stopListening() { engine.stopListening() }
}

/// The counts of a scripted server.
public struct ServerCounts: Sendable, Hashable {
  /// The number of accepted connections.
  public var accepted = 0
  /// The number of closed connections.
  public var closed = 0
  /// The number of requests whose head has been read.
  public var requests = 0
}
