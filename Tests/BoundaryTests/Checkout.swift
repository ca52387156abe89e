import Foundation

/// The folder of the package under test, derived from the path of this file.
enum Checkout {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The new folder in which `Scripts/test` builds packages that use the checkout, if it runs the tests.
  static var packagesScratch: URL? {
    ProcessInfo.processInfo.environment["SWITCHYARD_PACKAGES_SCRATCH"].map {
      URL(filePath: $0, directoryHint: .isDirectory)
    }
  }

  /// Whether missing test data is a failure.
  static var isContinuousIntegration: Bool { ProcessInfo.processInfo.environment["CI"] == "true" }
}
