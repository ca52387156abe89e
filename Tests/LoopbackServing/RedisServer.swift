import CommandRunning
import Foundation
import SwitchyardTesting

/// Debian's redis-server on the loopback network, which keeps its data in memory only.
///
/// Releasing the server ends it, as does the end of the test process.
public final class RedisServer: Sendable {
  /// Whether the program is installed.
  public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// Whether a suite that needs the server should run: without it the suite is skipped, except in CI, where
  /// it fails.
  public static var runsSuites: Bool { isInstalled || ProcessInfo.processInfo.environment["CI"] == "true" }

  private static let program = "/usr/bin/redis-server"

  /// The port of the server, which is the same after each start.
  public let port: Int
  private let arguments: [String]
  private let password: String?
  private let process = Watched<RedisProcess?>(nil)

  /// Starts a server and waits until it accepts connections.
  ///
  /// - Parameters:
  ///   - password: The password that the server requires.
  ///   - arguments: Additional arguments, such as `--maxmemory 2mb`.
  public init(password: String? = nil, arguments: [String] = []) async throws {
    guard Self.isInstalled else {
      throw LoopbackError(sentence: "\(Self.program) is missing; install redis-server")
    }
    port = try LoopbackSocket.freePort()
    self.password = password
    self.arguments =
      [
        "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--loglevel",
        "warning",
      ]
      + (password.map { ["--requirepass", $0] } ?? []) + arguments
    try await start()
  }

  deinit { process.value?.stop() }

  /// Starts the server, empty, and waits until it accepts connections.
  public func start() async throws {
    let started = try RedisProcess(program: Self.program, arguments: arguments)
    process.update { $0 = started }
    guard try await LoopbackSocket.isListening(port, while: { started.isRunning }) else {
      started.stop()
      throw LoopbackError(sentence: "redis-server did not listen on port \(port)")
    }
  }

  /// Kills the server with SIGKILL and waits until it has exited; its data is lost.
  public func kill() async throws {
    guard let running = process.value else { return }
    running.stop()
    try await waitUntil("redis-server has ended") { !running.isRunning }
  }

  /// Stops the execution of the server, which keeps its connections open.
  public func pause() { process.value?.send(SIGSTOP) }

  /// Continues the execution of the server.
  public func resume() { process.value?.send(SIGCONT) }

  /// Runs a command with redis-cli, and returns its output.
  @discardableResult
  public func run(_ words: String...) async throws -> String {
    var command = Command(words: ["redis-cli", "-p", "\(port)"] + words)
    if let password {
      command.environment = ProcessInfo.processInfo.environment.merging(["REDISCLI_AUTH": password]) { $1 }
    }
    return try await command.run().output
  }
}

/// A running redis-server, which a watchdog ends together with the test process, when its pipe is closed.
final class RedisProcess: Sendable {
  private let server = Process()
  private let watchdog = Process()
  private let lifeline = Pipe()

  init(program: String, arguments: [String]) throws {
    server.executableURL = URL(fileURLWithPath: program)
    server.arguments = arguments
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    try server.run()
    watchdog.executableURL = URL(fileURLWithPath: "/bin/sh")
    watchdog.arguments = ["-c", "read -r line; kill -9 \(server.processIdentifier)"]
    watchdog.standardInput = lifeline
    try watchdog.run()
  }

  var isRunning: Bool { server.isRunning }

  func send(_ signal: Int32) { if server.isRunning { kill(server.processIdentifier, signal) } }

  /// Kills both processes without waiting for them.
  func stop() {
    // The watchdog is killed first: otherwise it could kill another process that reuses the server's
    // identifier.
    for process in [watchdog, server] where process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }
}
