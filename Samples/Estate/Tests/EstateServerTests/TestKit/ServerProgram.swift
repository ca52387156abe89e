import Foundation

/// The estate-server program, built beside the tests.
enum ServerProgram {
  struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs the program outside the concurrency pool; sends it a signal after its first line, if one is given.
  static func run(_ arguments: [String], whenReady signal: Int32? = nil) async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try wait(arguments, whenReady: signal) })
      }
    }
  }

  private static func wait(_ arguments: [String], whenReady signal: Int32?) throws -> Outcome {
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
    if let signal {
      while !text.contains(UInt8(ascii: "\n")) {
        let part = output.fileHandleForReading.availableData
        if part.isEmpty { break }
        text += part
      }
      kill(process.processIdentifier, signal)
    }
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    let errorText = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: errorText, as: UTF8.self))
  }
}
