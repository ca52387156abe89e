import Foundation

/// The tests that `switchyard test` has written to a folder, compiled by the modules of this build.
struct WrittenTests {
  private static let build = URL(filePath: RunningProgram.tool).deletingLastPathComponent()
    .resolvingSymlinksInPath()
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../..").standardizedFileURL

  /// The targets that are not part of a test of an app.
  private static let own = [
    "SwitchyardTool", "ToolCommands", "APIGeneration", "RequestFiles", "ToolRunTests", "ToolPackage",
    "ArgumentParser", "Yams",
  ]

  private static let runner = """
    import Testing

    @main struct Runner {
      static func main() async { await Testing.__swiftPMEntryPoint() as Never }
    }
    """

  private let program: String

  /// Compiles the tests of a folder as SwiftPM would: in Swift 6, with the warnings as errors.
  ///
  /// - Throws: ``ServerFault`` with the errors of the compiler.
  init(in folder: ScratchFolder) async throws {
    program = folder.path("written-tests")
    try folder.write(Self.runner, to: "Runner.swift")
    let sources = folder.names.filter { $0.hasSuffix(".swift") }.map(folder.path)
    let objects = try Self.objects()
    try folder.write(objects.joined(separator: "\n"), to: "objects")
    var words = ["swiftc", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-gnone"]
    words += [
      "-module-name", "WrittenTests", "-o", program, "-I", Self.build.appending(path: "Modules").path,
    ]
    words += ["-module-cache-path", Self.build.appending(path: "ModuleCache").path]
    words += ["-enable-upcoming-feature", "MemberImportVisibility"]
    for map in Self.moduleMaps() { words += ["-Xcc", "-fmodule-map-file=\(map)"] }
    words += ["-Xcc", "-I", "-Xcc", Self.root.appending(path: "Sources/Transports/CCurlShims/include").path]
    words += ["-lcurl", "-lssl", "-lcrypto", "-lz", "-lzstd", "-lbrotlidec", "-lsqlite3"]
    words += sources + ["@\(folder.path("objects"))"]
    let outcome = try await RunningProgram(["/usr/bin/env"] + words).outcome()
    guard outcome.status == 0 else {
      throw ServerFault(description: "the written tests don't compile: \(outcome)")
    }
  }

  /// Runs the tests.
  func run() async throws -> RunningProgram.Outcome {
    try await RunningProgram([program, "--testing-library", "swift-testing", "--no-parallel"]).outcome()
  }

  /// The object files of the library's modules, as the linker of this program had them.
  private static func objects() throws -> [String] {
    let list = build.appending(path: "ToolPackageTests.product/Objects.LinkFileList")
    return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init).filter {
      path in
      let target = URL(filePath: path).pathComponents.last { $0.hasSuffix(".build") } ?? ""
      return !own.contains { target.hasPrefix($0) }
    }
  }

  /// The maps of the C modules, which the library's modules import.
  private static func moduleMaps() -> [String] {
    let checkouts = build.appending(path: "../../checkouts").standardizedFileURL
    let places =
      folders(of: build).filter { $0.pathExtension == "build" }
      + ["Calls", "Transports"].flatMap { folders(of: root.appending(path: "Sources/\($0)")) }
      + folders(of: checkouts).flatMap { folders(of: $0.appending(path: "Sources")) }
    return places.map { $0.appending(path: "module.modulemap").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }

  private static func folders(of url: URL) -> [URL] {
    ((try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)) ?? [])
      .sorted { $0.path < $1.path }
  }
}
