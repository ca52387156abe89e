import Foundation

/// A running nginx; it ends when the test process does, since a watchdog reads from a pipe that ends then.
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

  /// Connects until every port answers.
  func waitUntilReady(ports: [Int]) async throws {
    let server = server
    for port in ports {
      guard try await LoopbackSocket.isListening(port, while: { server.isRunning }) else {
        let log = (try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)) ?? ""
        stop()
        throw LoopbackError(sentence: "nginx did not answer on port \(port): \(log)")
      }
    }
  }

  /// Kills both processes without waiting for them, because no code of theirs runs after that signal.
  func stop() {
    // The watchdog goes first: it must not meet a number that another process has by then.
    for process in [watchdog, server] where process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }
}
