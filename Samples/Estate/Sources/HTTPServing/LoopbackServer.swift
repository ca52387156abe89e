import FlyingFox
import FlyingSocks
import Foundation

/// A plain HTTP/1.1 server on a port of 127.0.0.1.
package struct LoopbackServer: Sendable {
  package typealias Responder = @Sendable (ReceivedRequest) async -> ServerResponse

  /// Seconds that a response may take; FlyingFox answers 500 then, so it is more than any request needs.
  private static let responseLimit: TimeInterval = 24 * 3600
  /// The time that requests in flight have to end when the server stops.
  private static let grace = Duration.seconds(5)
  /// Seconds to send the last response.
  ///
  /// FlyingFox 0.27.1 does not notice that its listening socket is closed, so `stop(timeout:)` always takes
  /// all of its time; the server waits for its requests by itself.
  private static let lastSend: TimeInterval = 0.1

  private let port: UInt16
  private let scheme: String
  private let bodyLimit: Int
  private let respond: Responder

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for any free one.
  ///   - scheme: The scheme by which clients reach the server: `https` behind a proxy that terminates TLS.
  ///   - bodyLimit: The maximum size of a request's body. Of a longer body the responder gets one byte more
  ///     than the limit, by which it can tell; the rest is discarded.
  ///   - respond: Responds to each request. The body of a response to HEAD is not sent.
  package init(port: UInt16, scheme: String, bodyLimit: Int, respond: @escaping Responder) {
    self.port = port
    self.scheme = scheme
    self.bodyLimit = bodyLimit
    self.respond = respond
  }

  /// Serves while `body` runs, and until requests in flight have ended, at most 5 s longer.
  ///
  /// - Parameter body: Receives the port once connections are accepted.
  /// - Throws: ``ServingError``, or the error of `body`.
  package func serve(_ body: @escaping @Sendable (UInt16) async throws -> Void) async throws {
    let (scheme, bodyLimit, respond) = (scheme, bodyLimit, respond)
    let inFlight = InFlightCount()
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port), timeout: Self.responseLimit,
      pool: PromptSocketPool(base: HTTPServer.defaultPool()), logger: .disabled,
      handler: ClosureHTTPHandler { request in
        inFlight.begin()
        defer { inFlight.end() }
        guard let received = try await ReceivedRequest(request, scheme: scheme, bodyLimit: bodyLimit) else {
          return HTTPResponse(statusCode: .badRequest)
        }
        return HTTPResponse(await respond(received), to: received)
      })
    let running = Task { try await server.run() }
    let port = try await portOnceListening(server, running)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await body(port) }
      group.addTask {
        do {
          try await running.value
        } catch {
          throw ServingError(error, port: port)
        }
      }
      let outcome = await group.nextResult()
      group.cancelAll()
      await inFlight.drained(within: Self.grace)
      await server.stop(timeout: Self.lastSend)
      try outcome?.get()
    }
  }

  private func portOnceListening(
    _ server: HTTPServer, _ running: Task<Void, any Error>
  ) async throws(ServingError) -> UInt16 {
    let listening = Task { try await server.waitUntilListening() }
    // A server that fails to start would be waited for until the time limit of the library.
    let watch = Task {
      _ = await running.result
      listening.cancel()
    }
    defer { watch.cancel() }
    do {
      try await listening.value
      if case .ip4(_, let port) = await server.listeningAddress { return port }
      throw SocketError.unsupportedAddress
    } catch {
      running.cancel()
      if case .failure(let cause) = await running.result { throw ServingError(cause, port: port) }
      throw ServingError(error, port: port)
    }
  }
}
