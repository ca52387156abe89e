import Foundation
import HTTPServing

/// The curl program.
enum CurlProgram {
  private static let path = "/usr/bin/curl"

  /// Whether the suite runs: curl is installed, or `CI=true` allows no skipped tests.
  static var isNeeded: Bool {
    FileManager.default.isExecutableFile(atPath: path) || ProcessInfo.processInfo.environment["CI"] == "true"
  }

  static func run(_ arguments: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess.outcome(of: URL(filePath: path), arguments)
  }
}
