import FlyingSocks
import Foundation
import HTTPServing
import Logging

/// The proxies in front of the API: an nginx for each address of the server, so that one address can be
/// stopped while the other one is reached.
actor AddressProxies {
  /// The addresses; the first one is what `localhost` stands for.
  static let addresses = ["127.0.0.1", "127.0.0.2"]

  nonisolated let failures: AsyncStream<ProxyError>
  nonisolated let port: UInt16
  private let failure: AsyncStream<ProxyError>.Continuation
  private let program: NginxProgram
  private let upstream: UInt16
  private let directory: StateDirectory
  private let inFlight: InFlightRequests
  private let logger: Logger
  private var running: [String: NginxProcess] = [:]

  /// Creates proxies that pass requests on to the API at the port `upstream`; none is started yet.
  init(
    _ program: NginxProgram, port: UInt16, upstream: UInt16, in directory: StateDirectory,
    inFlight: InFlightRequests, logger: Logger
  ) {
    (failures, failure) = AsyncStream.makeStream(of: ProxyError.self)
    self.program = program
    self.port = port
    self.upstream = upstream
    self.directory = directory
    self.inFlight = inFlight
    self.logger = logger
  }

  var started: [String] { Self.addresses.filter { running[$0] != nil } }

  /// Starts the proxy of an address, unless it runs; returns when it answers.
  ///
  /// - Throws: `ServingError`, `ProxyError` or `StateDirectoryError`.
  func start(_ address: String) async throws {
    guard running[address] == nil else { return }
    try await start(address, on: ListeningSocket(address: address, port: port))
  }

  /// Starts the proxy of an address on a socket that listens; returns when it answers.
  func start(_ address: String, on socket: ListeningSocket) async throws {
    let nginx = try process(at: address, on: socket)
    running[address] = nginx
    do {
      try await nginx.waitUntilAnswering(address, port)
    } catch {
      running[address] = nil
      await nginx.stop()
      var output: [String] = []
      for await line in nginx.lines { output.append(line) }
      try Task.checkCancellation()
      throw ProxyError.nginxEnded(output: output.suffix(3).joined(separator: "\n"))
    }
    // The lines end with nginx.
    Task { await follow(nginx, at: address) }
  }

  /// Stops the proxy of an address, and returns when connections to it are refused; requests in flight go on.
  ///
  /// - Returns: False if it did not run.
  func stop(_ address: String) async -> Bool {
    guard let nginx = running.removeValue(forKey: address) else { return false }
    nginx.beginStopping()
    while let connection = try? await AsyncSocket.connected(to: .inet(ip4: address, port: port)) {
      try? connection.close()
      do { try await Task.sleep(for: .milliseconds(10)) } catch { break }
    }
    return true
  }

  func stopAll() async {
    let all = running.values
    running = [:]
    for nginx in all { nginx.beginStopping() }
    for nginx in all { await nginx.stop() }
  }

  private func process(at address: String, on socket: ListeningSocket) throws -> NginxProcess {
    // Otherwise connections would wait for an nginx that failed.
    defer { socket.close() }
    let user = geteuid() == 0 ? NSUserName() : nil
    let configuration = NginxConfiguration(address: address, port: port, upstream: upstream, user: user)
    let folder = try StateDirectory(path: directory.path(configuration.folder))
    try folder.write(Data(configuration.text.utf8), to: NginxConfiguration.fileName)
    return try NginxProcess(program, folder: folder.url, socket: socket)
  }

  /// Reads what nginx writes, and reports its end unless it was stopped.
  private func follow(_ nginx: NginxProcess, at address: String) async {
    var last = ""
    for await line in nginx.lines {
      if line.hasPrefix(NginxConfiguration.abandoned) {
        inFlight.cancel(String(line.dropFirst(NginxConfiguration.abandoned.count)))
      } else {
        logger.debug("nginx: \(line)")
        last = line
      }
    }
    guard running[address] === nginx else { return }
    running[address] = nil
    failure.yield(.nginxEnded(output: last))
  }
}
