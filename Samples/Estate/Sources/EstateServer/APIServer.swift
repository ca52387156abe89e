import Foundation
import HTTPServing
package import Logging

/// The API on an HTTPS port of this machine, over HTTP/2 or HTTP/1.1 as the client prefers.
///
/// The API itself answers plain HTTP/1.1 on a loopback port; nginx in front of it terminates TLS and HTTP/2,
/// on each of the server's addresses.
package struct APIServer: Sendable {
  private let api: EstateAPI
  private let directory: StateDirectory
  private let port: UInt16
  private let logger: Logger

  /// Creates a server on 127.0.0.1 and, where the system has it, on 127.0.0.2.
  ///
  /// - Parameters:
  ///   - directory: The state directory with the certificate, which `ServerCertificate.prepare` makes.
  ///   - port: The port; 0 for any free one.
  package init(api: EstateAPI, directory: StateDirectory, port: UInt16, logger: Logger) {
    self.api = api
    self.directory = directory
    self.port = port
    self.logger = logger
  }

  /// Serves until `stop` returns or the task is cancelled; requests in flight then have 5 s to end.
  ///
  /// - Parameters:
  ///   - stop: Returns when the server should stop, as ``HTTPServing/TerminationSignals/received()`` does.
  ///   - onListening: Receives the port once requests are answered.
  /// - Throws: `ServingError`, `ProxyError` or `StateDirectoryError`.
  package func run(
    until stop: @escaping @Sendable () async -> Void, onListening: @escaping @Sendable (UInt16) -> Void
  ) async throws {
    // Both before anything starts: they fail where the user can do something about it.
    let program = try NginxProgram()
    let socket = try ListeningSocket(address: AddressProxies.addresses[0], port: port)
    let inFlight = InFlightRequests()
    let (api, directory, logger) = (api, directory, logger)
    let server = LoopbackServer(port: 0, scheme: "https", bodyLimit: BodyLimits.encoded) { request in
      await inFlight.respond(to: request) { await api.response(to: $0, logger: logger) }
    }
    try await server.serve { upstream in
      let proxies = AddressProxies(
        program, port: socket.port, upstream: upstream, in: directory, inFlight: inFlight, logger: logger)
      do {
        try await Self.start(proxies, on: socket, logger)
      } catch {
        await proxies.stopAll()
        throw error
      }
      api.addresses.use(proxies)
      defer { api.addresses.use(nil) }
      onListening(socket.port)
      try await Self.follow(proxies, inFlight, until: stop)
    }
  }

  private static func start(
    _ proxies: AddressProxies, on socket: ListeningSocket, _ logger: Logger
  ) async throws {
    try await proxies.start(AddressProxies.addresses[0], on: socket)
    for address in AddressProxies.addresses.dropFirst() {
      do {
        try await proxies.start(address)
      } catch let error as ServingError {
        // By default macOS has only the first address, and on any system another program may have the port.
        logger.notice("not reached at \(address):\(socket.port): \(error)")
      }
    }
  }

  /// Returns when `stop` has returned and the proxies have ended; throws if one of them ends before.
  private static func follow(
    _ proxies: AddressProxies, _ inFlight: InFlightRequests, until stop: @escaping @Sendable () async -> Void
  ) async throws {
    let failure = await withTaskGroup(of: ProxyError?.self) { group in
      group.addTask {
        await stop()
        return nil
      }
      group.addTask {
        for await failure in proxies.failures { return failure }
        return nil
      }
      let first = await group.next() ?? nil
      inFlight.cancelAll()
      await proxies.stopAll()
      group.cancelAll()
      return first
    }
    if let failure, !Task.isCancelled { throw failure }
  }
}
