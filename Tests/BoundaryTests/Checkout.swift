import Foundation

/// The folder of the package under test, derived from the path of this file.
enum Checkout {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Whether missing test data is a failure.
  static var isContinuousIntegration: Bool { ProcessInfo.processInfo.environment["CI"] == "true" }
}
