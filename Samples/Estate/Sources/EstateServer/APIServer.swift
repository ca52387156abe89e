import Foundation
import HTTPServing
public import Logging

/// The API on an HTTPS port of this machine, over HTTP/2 or HTTP/1.1 as the client prefers.
///
/// The API itself answers plain HTTP/1.1 on a loopback port; nginx in front of it terminates TLS and HTTP/2.
public struct APIServer: Sendable {
  private let api: EstateAPI
  private let directory: StateDirectory
  private let port: UInt16
  private let logger: Logger

  /// Creates a server on 127.0.0.1.
  ///
  /// - Parameters:
  ///   - directory: The state directory with the certificate, which `ServerCertificate.prepare` makes.
  ///   - port: The port; 0 for any free one.
  public init(api: EstateAPI, directory: StateDirectory, port: UInt16, logger: Logger) {
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
  public func run(
    until stop: @escaping @Sendable () async -> Void, onListening: @escaping @Sendable (UInt16) -> Void
  ) async throws {
    // Both before anything starts: they fail where the user can do something about it.
    let program = try NginxProgram()
    let socket = try ListeningSocket(port: port)
    let inFlight = InFlightRequests()
    let (api, directory, logger) = (api, directory, logger)
    let server = LoopbackServer(port: 0, scheme: "https", bodyLimit: BodyLimits.encoded) { request in
      await inFlight.respond(to: request) { await api.response(to: $0, logger: logger) }
    }
    try await server.serve { upstream in
      let nginx = try Self.start(program, on: socket, upstream: upstream, in: directory)
      do {
        try await nginx.waitUntilAnswering(socket.port)
      } catch {
        await nginx.stop()
        var output: [String] = []
        for await line in nginx.lines { output.append(line) }
        try Task.checkCancellation()
        throw ProxyError.nginxEnded(output: output.suffix(3).joined(separator: "\n"))
      }
      onListening(socket.port)
      try await Self.follow(nginx, inFlight, logger, until: stop)
    }
  }

  private static func start(
    _ program: NginxProgram, on socket: ListeningSocket, upstream: UInt16, in directory: StateDirectory
  ) throws -> NginxProcess {
    // Otherwise connections would wait for an nginx that failed.
    defer { socket.close() }
    let user = geteuid() == 0 ? NSUserName() : nil
    let configuration = NginxConfiguration(port: socket.port, upstream: upstream, user: user)
    let folder = try StateDirectory(path: directory.path(NginxConfiguration.folder))
    try folder.write(Data(configuration.text.utf8), to: NginxConfiguration.fileName)
    return try NginxProcess(program, folder: folder.url, socket: socket)
  }

  /// Reads what nginx writes until `stop` returns, and then stops it; throws if nginx ends before.
  private static func follow(
    _ nginx: NginxProcess, _ inFlight: InFlightRequests, _ logger: Logger,
    until stop: @escaping @Sendable () async -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask {
        var last = ""
        for await line in nginx.lines {
          if line.hasPrefix(NginxConfiguration.abandoned) {
            inFlight.cancel(String(line.dropFirst(NginxConfiguration.abandoned.count)))
          } else {
            logger.debug("nginx: \(line)")
            last = line
          }
        }
        return last
      }
      group.addTask {
        await stop()
        return nil
      }
      let output = try await group.next()
      inFlight.cancelAll()
      await nginx.stop()
      group.cancelAll()
      if case .some(.some(let output)) = output, !Task.isCancelled {
        throw ProxyError.nginxEnded(output: output)
      }
    }
  }
}
