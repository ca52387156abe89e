import Foundation

/// Type-checks source text against the modules of this build, for tests of compiler errors.
public enum Typechecker {
  private static let modules: URL = {
    let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return executable.deletingLastPathComponent().appending(path: "Modules")
  }()

  /// The folders with the module maps of the C libraries, which modules of the build import.
  private static let moduleMaps: [String] = {
    let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardizedFileURL
    let paths = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix("/module.modulemap") }.sorted()
      .map { sources.appending(path: $0).deletingLastPathComponent().path }
  }()

  private static let compiler: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(
    separator: ":"
  )
  .map { URL(filePath: String($0)).appending(path: "swiftc") }
  .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  /// Whether the compiler and the modules of the build are available.
  ///
  /// Always true in CI, where their absence is a failure.
  public static var isAvailable: Bool {
    let isFound =
      compiler != nil
      && FileManager.default.fileExists(atPath: modules.appending(path: "APIManagers.swiftmodule").path)
    return isFound || ProcessInfo.processInfo.environment["CI"] == "true"
  }

  /// Returns the compiler's errors, one per line; empty if the text compiles.
  public static func errors(in text: String) async throws -> String {
    let folder = try TemporaryFolder(prefix: "misuse")
    let source = folder.url.appending(path: "Text.swift")
    try Data(text.utf8).write(to: source)
    guard let compiler else { throw CompilerMissing() }
    let searched = ([modules.path] + moduleMaps).flatMap { ["-I", $0] }
    let words = [compiler.path, "-typecheck", "-swift-version", "6"] + searched + [source.path]
    let outcome = try await Command(words: words).run()
    let errors = outcome.lines.filter { $0.contains("error:") }.joined(separator: "\n")
    return errors.isEmpty && outcome.status != 0 ? "error: \(outcome)" : errors
  }

  private struct CompilerMissing: Error, CustomStringConvertible {
    let description = "There is no swiftc in PATH."
  }
}
