import Foundation

/// A server on a free port of 127.0.0.1, in a process of its own.
final class LocalServer {
  let port: UInt16
  private let process = Process()

  /// Starts a program; throws if it doesn't listen.
  ///
  /// - Parameter arguments: Returns the program's arguments for a port.
  init(_ path: String, _ arguments: (UInt16) -> [String]) throws {
    port = try Nginx.freePort()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments(port)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    guard Nginx.waitUntilListening(port, while: { process.isRunning }) else {
      process.terminate()
      throw Trouble("\(URL(fileURLWithPath: path).lastPathComponent) does not listen on port \(port)")
    }
  }

  /// Stops the server, unless its program could not be started.
  deinit {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }

  /// Starts the server of shared nonces, which keeps its data in memory.
  static func redis() throws -> LocalServer {
    guard let program = Program.find("redis-server") else {
      throw Trouble("redis-server is missing; run Scripts/install-dependencies")
    }
    return try LocalServer(program) {
      ["--port", "\($0)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    }
  }

  /// Starts the server that sends the messages of WebSockets back.
  static func echo(in programs: Programs) throws -> LocalServer {
    try LocalServer("\(programs.folder)/EchoServer") { ["--port", "\($0)"] }
  }
}
