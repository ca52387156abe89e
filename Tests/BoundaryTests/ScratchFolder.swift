import CommandRunning
import Foundation
import Synchronization

/// A scratch folder of SwiftPM, other than that of the running build, whose lock is held.
///
/// Packages that depend on the checkout by the same path can share one: SwiftPM then fetches the dependencies and compiles
/// the checkout's modules and plugins once, instead of once for each package.
final class ScratchFolder: Sendable {
  let folder: URL
  private let lastPackage = Mutex<URL?>(nil)

  init(folder: URL) { self.folder = folder }

  /// Runs a subcommand of `swift` on a package.
  func swift(_ subcommand: String, package: URL, _ words: [String] = []) async throws -> Command.Outcome {
    let isSamePackage = lastPackage.withLock { last in
      defer { last = package }
      return last == package
    }
    // SwiftPM keeps its plan of the build in the scratch folder, and does not see that it is another package's.
    let caching = isSamePackage ? [] : ["--disable-build-manifest-caching"]
    let place = ["--package-path", package.path, "--scratch-path", folder.path]
    return try await Command(words: ["swift", subcommand] + place + caching + words).run()
  }
}
