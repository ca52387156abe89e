import Foundation

/// A running nginx, which a watchdog ends together with the test process, when its pipe is closed.
final class NginxProcess: Sendable {
  private let server = Process()
  private let watchdog = Process()
  private let lifeline = Pipe()
  private let folder: URL

  init(program: String, folder: URL) throws {
    self.folder = folder
    server.executableURL = URL(fileURLWithPath: program)
    server.arguments = ["-p", folder.path, "-e", "error.log", "-c", "nginx.conf"]
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    try server.run()
    watchdog.executableURL = URL(fileURLWithPath: "/bin/sh")
    watchdog.arguments = ["-c", "read -r line; kill -9 \(server.processIdentifier)"]
    watchdog.standardInput = lifeline
    try watchdog.run()
  }

  /// Connects until every port accepts a connection.
  func waitUntilReady(ports: [Int]) async throws {
    let server = server
    for port in ports {
      guard try await LoopbackSocket.isListening(port, while: { server.isRunning }) else {
        let log = (try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)) ?? ""
        stop()
        throw LoopbackError(sentence: "nginx did not listen on port \(port): \(log)")
      }
    }
  }

  /// Kills both processes without waiting for them, because none of their code runs after the signal.
  func stop() {
    // The watchdog is killed first: otherwise it could kill another process that reuses the server's
    // identifier.
    for process in [watchdog, server] where process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }
}
