import Foundation

/// The estate-server program, built beside the tests.
enum ServerProgram {
  struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs the program off the shared pool; stops it with SIGTERM once its first line is out, when told to.
  static func run(_ arguments: [String], terminateWhenReady: Bool = false) async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try wait(arguments, terminateWhenReady: terminateWhenReady) })
      }
    }
  }

  private static func wait(_ arguments: [String], terminateWhenReady: Bool) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "estate-server")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    var text = Data()
    if terminateWhenReady {
      while !text.contains(UInt8(ascii: "\n")) {
        let part = output.fileHandleForReading.availableData
        if part.isEmpty { break }
        text += part
      }
      process.terminate()
    }
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    let errorText = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: errorText, as: UTF8.self))
  }
}
