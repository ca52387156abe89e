import Foundation

/// The folder of the package under test, derived from the path of this file.
enum Checkout {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The scratch folder that a variable names, in which `Scripts/test` has compiled the library.
  static func scratch(_ variable: String) -> URL? {
    ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0, directoryHint: .isDirectory) }
  }

  /// Whether missing test data is a failure.
  static var isContinuousIntegration: Bool { ProcessInfo.processInfo.environment["CI"] == "true" }
}
