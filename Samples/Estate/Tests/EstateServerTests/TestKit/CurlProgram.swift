import Foundation

/// The curl program.
enum CurlProgram {
  struct Outcome: Sendable {
    let status: Int32
    /// Standard output and error together.
    let output: String
  }

  private static let path = "/usr/bin/curl"

  /// Whether the suite runs: curl is installed, or `CI=true` allows no skipped tests.
  static var isNeeded: Bool {
    FileManager.default.isExecutableFile(atPath: path) || ProcessInfo.processInfo.environment["CI"] == "true"
  }

  /// Runs curl outside the concurrency pool, whose few threads the server needs.
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
