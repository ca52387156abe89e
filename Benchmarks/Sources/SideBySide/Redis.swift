import Foundation

/// The server for the figures of shared nonces: one redis-server that keeps its data in memory.
final class Redis {
  let port: UInt16
  private let process = Process()

  /// Starts the server; throws if the program is missing or doesn't listen.
  init() throws {
    guard let program = Program.find("redis-server") else {
      throw Trouble("redis-server is missing; run Scripts/install-dependencies")
    }
    port = try Nginx.freePort()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    guard Nginx.waitUntilListening(port, while: { process.isRunning }) else {
      process.terminate()
      throw Trouble("redis-server does not listen on port \(port)")
    }
  }

  /// Stops the server.
  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}
