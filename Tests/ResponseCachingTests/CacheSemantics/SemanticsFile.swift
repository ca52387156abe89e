import Foundation

/// The data of http-cache-tests (BSD-3-Clause, Mark Nottingham), located next to the package's folder.
enum SemanticsFile {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../shared/vectors/http-cache-tests.json").standardizedFileURL

  /// Whether the data exists, or the tests must run because this is CI.
  static var mustRun: Bool {
    ProcessInfo.processInfo.environment["CI"] == "true" || FileManager.default.fileExists(atPath: file.path())
  }

  /// Returns all tests, for any kind of cache.
  static func tests() throws -> [SemanticsTest] {
    try JSONDecoder().decode([SemanticsSuite].self, from: Data(contentsOf: file)).flatMap(\.tests)
  }
}
