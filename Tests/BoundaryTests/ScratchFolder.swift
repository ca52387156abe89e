import CommandRunning
import Foundation
import Synchronization

/// A scratch folder of SwiftPM that no running build has locked.
///
/// Packages that depend on the checkout by the same path can share one: SwiftPM then fetches the dependencies
/// and compiles the checkout's modules and plugins once, instead of once per package.
final class ScratchFolder: Sendable {
  let folder: URL
  private let buildSystem: String?
  private let lastPackage = Mutex<URL?>(nil)

  /// Creates a folder whose modules `Scripts/test` shares, or one for a build system that SwiftPM's option
  /// names, with the flags of a package that depends on the checkout.
  init(folder: URL, buildSystem: String? = nil) {
    self.folder = folder
    self.buildSystem = buildSystem
  }

  /// Runs a subcommand of `swift` on a package, in an environment that a user of the package has.
  func swift(_ subcommand: String, package: URL, _ words: [String] = []) async throws -> Command.Outcome {
    let isSamePackage = lastPackage.withLock { last in
      defer { last = package }
      return last == package
    }
    // SwiftPM caches the build's plan in the scratch folder and would use that of the previous package.
    let caching = isSamePackage ? [] : ["--disable-build-manifest-caching"]
    let place = ["--package-path", package.path, "--scratch-path", folder.path]
    // The flags of `Scripts/test`, so that the modules that it has compiled are not compiled again.
    let format = ["-debug-info-format", "none"]
    let system = buildSystem.map { ["--build-system", $0] } ?? []
    var command = Command(words: ["swift", subcommand] + place + format + caching + system + words)
    command.environment = ProcessInfo.processInfo.environment
    if buildSystem != nil { command.environment?.removeValue(forKey: "SWITCHYARD_WARNINGS_AS_ERRORS") }
    // With it, SwiftPM always passes the flags of traits in the same order.
    command.environment?.removeValue(forKey: "SWIFT_DETERMINISTIC_HASHING")
    var outcome = try await command.run()
    // Such a crash does not depend on the package. A command that changes the package is not repeated.
    let isRepeatable = subcommand != "package" || words.first == "verify-modules"
    for _ in 1...2 where isRepeatable && Self.isCrashOfDispatch(outcome.status, outcome.output) {
      outcome = try await command.run()
    }
    return outcome
  }

  /// Whether SwiftPM itself, and not a plugin or a compiler, has crashed in libdispatch's thread for events.
  ///
  /// SwiftPM sets `FileHandle.readabilityHandler` for the output of each plugin. When such handlers are
  /// removed on Linux, that thread can use a freed record (swift-corelibs-libdispatch#949; seen with Swift
  /// 6.3.1). A plugin that crashes is an error with exit status 1. Delete this when the toolchain has a
  /// correction. A crash without a trace is taken for it, because another program writes the trace.
  static func isCrashOfDispatch(_ status: Int32, _ output: String) -> Bool {
    status == SIGSEGV
      && (output.contains("_dispatch_event_loop_drain") || !output.contains("Program crashed"))
  }
}
