import Foundation

/// The folder of the package under test, found from this file's place in it.
enum Checkout {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Whether what a test needs must be there, not only may.
  static var isContinuousIntegration: Bool { ProcessInfo.processInfo.environment["CI"] == "true" }
}
