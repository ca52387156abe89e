import Foundation

/// The data of http-cache-tests (BSD-3-Clause, Mark Nottingham), which lies beside the package's folder.
enum SemanticsFile {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../shared/vectors/http-cache-tests.json").standardizedFileURL

  /// Whether the tests can run, or must.
  static var mustRun: Bool {
    ProcessInfo.processInfo.environment["CI"] == "true" || FileManager.default.fileExists(atPath: file.path())
  }

  /// All tests, whatever cache they are for.
  static func tests() throws -> [SemanticsTest] {
    try JSONDecoder().decode([SemanticsSuite].self, from: Data(contentsOf: file)).flatMap(\.tests)
  }
}
