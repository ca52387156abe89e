import Foundation

/// A running server program, which a watchdog ends together with the test process, when its pipe is closed.
final class ServerProcess: Sendable {
  private let server = Process()
  private let watchdog = Process()
  private let lifeline = Pipe()
  private let name: String
  private let log: URL

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - log: The file with the program's messages, for the error if it doesn't start.
  ///   - takesErrors: Whether the program's standard error is written to that file.
  init(program: String, arguments: [String], log: URL, takesErrors: Bool = false) throws {
    name = URL(fileURLWithPath: program).lastPathComponent
    self.log = log
    server.executableURL = URL(fileURLWithPath: program)
    server.arguments = arguments
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    if takesErrors {
      try Data().write(to: log)
      server.standardError = try FileHandle(forWritingTo: log)
    }
    try server.run()
    watchdog.executableURL = URL(fileURLWithPath: "/bin/sh")
    watchdog.arguments = ["-c", "read -r line; kill -9 \(server.processIdentifier)"]
    watchdog.standardInput = lifeline
    try watchdog.run()
  }

  /// Connects until every port accepts a connection.
  ///
  /// - Parameters:
  ///   - file: A file that the program writes once it listens on all of its ports. Without it, a port on
  ///     which another program listens passes for one of this program.
  ///   - message: A text that the program logs once it listens on all of its ports.
  func waitUntilReady(ports: [Int], file: URL? = nil, log message: String? = nil) async throws {
    let server = server
    for port in ports {
      guard try await LoopbackSocket.isListening(port, while: { server.isRunning }) else {
        throw failure("port \(port)")
      }
    }
    func isReady() -> Bool {
      if let file, !FileManager.default.fileExists(atPath: file.path) { return false }
      return message.map { (try? String(contentsOf: log, encoding: .utf8))?.contains($0) == true } ?? true
    }
    let end = ContinuousClock.now + .seconds(20)
    while !isReady() {
      guard server.isRunning, ContinuousClock.now < end else { throw failure("one of the ports \(ports)") }
      try await Task.sleep(for: .milliseconds(10))  // clock: another program's start provides no event
    }
  }

  private func failure(_ ports: String) -> LoopbackError {
    let messages = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    stop()
    return LoopbackError(sentence: "\(name) did not listen on \(ports): \(messages)")
  }

  /// Kills both processes without waiting for them, because none of their code runs after the signal.
  func stop() {
    // The watchdog is killed first: otherwise it could kill another process that reuses the server's
    // identifier.
    for process in [watchdog, server] where process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Kills both processes, waits until the server's ports are free, and closes the pipe, which would stay
  /// open.
  func end() {
    stop()
    for process in [watchdog, server] { process.waitUntilExit() }
    for handle in [lifeline.fileHandleForReading, lifeline.fileHandleForWriting] { try? handle.close() }
  }
}
