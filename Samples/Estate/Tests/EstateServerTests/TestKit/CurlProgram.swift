import Foundation

/// The curl program.
enum CurlProgram {
  struct Outcome: Sendable {
    let status: Int32
    /// Both outputs, since curl explains itself on the second.
    let output: String
  }

  private static let path = "/usr/bin/curl"

  /// Whether the suite must run: curl is here, or this is a machine where nothing may be skipped.
  static var isNeeded: Bool {
    FileManager.default.isExecutableFile(atPath: path) || ProcessInfo.processInfo.environment["CI"] == "true"
  }

  /// Runs curl off the shared pool, whose two threads the server needs.
  static func run(_ arguments: [String]) async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try wait(arguments) })
      }
    }
  }

  private static func wait(_ arguments: [String]) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
  }
}
