import Foundation

/// A public OpenAPI document, located next to the package's folder.
enum PublicDocument: String, CaseIterable, Sendable {
  case petstore = "petstore.yaml"
  case pokeapi = "pokeapi.yaml"
  case meilisearch = "meilisearch.json"
  case figma = "figma.yaml"
  case box = "box.json"
  case openai = "openai.yaml"

  /// The number of its operations.
  var operationCount: Int {
    switch self {
    case .petstore: 19
    case .pokeapi: 100
    case .meilisearch: 113
    case .figma: 47
    case .box: 296
    case .openai: 288
    }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../..").standardizedFileURL
  private var file: URL {
    Self.root.appending(path: "../shared/vectors/openapi/\(rawValue).xz").standardizedFileURL
  }

  /// Whether the documents exist, or the tests must run because this is CI.
  static var mustRun: Bool {
    ProcessInfo.processInfo.environment["CI"] == "true"
      || FileManager.default.fileExists(atPath: petstore.file.path())
  }

  /// The document.
  func bytes() async throws -> [UInt8] {
    let (status, bytes) = try await Self.run(URL(filePath: "/usr/bin/xz"), ["-dc", file.path()])
    guard status == 0 else { throw CocoaError(.fileReadCorruptFile) }
    return bytes
  }

  // MARK: Compiling

  /// The folder of the modules that the build of these tests has made.
  private static let modules = Bundle.main.executableURL?.resolvingSymlinksInPath()
    .deletingLastPathComponent()
    .appending(path: "Modules")

  /// Type-checks files with the warnings as errors, and returns what the compiler says.
  static func typecheck(_ files: [URL], cache: URL) async throws -> (status: Int32, text: String) {
    guard let modules else { return (1, "The executable has no folder.") }
    let build = modules.deletingLastPathComponent()
    var maps: [URL] = []
    for folder in ["Sources", "Plugins"].map({ root.appending(path: $0) })
      + [build.deletingLastPathComponent().deletingLastPathComponent().appending(path: "checkouts")]
    {
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        if file.lastPathComponent == "module.modulemap",
          file.path().contains("/Sources/") || folder.lastPathComponent == "Plugins"
        {
          maps.append(file)
        }
      }
    }
    for folder in try FileManager.default.contentsOfDirectory(at: build, includingPropertiesForKeys: nil)
    where folder.pathExtension == "build" {
      let map = folder.appending(path: "module.modulemap")
      if FileManager.default.fileExists(atPath: map.path()) { maps.append(map) }
    }
    let arguments =
      ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library"]
      + [
        "InternalImportsByDefault", "MemberImportVisibility", "ExistentialAny",
        "NonisolatedNonsendingByDefault",
      ]
      .flatMap { ["-enable-upcoming-feature", $0] }
      + ["-module-name", "Generated", "-I", modules.path(), "-module-cache-path", cache.path()]
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path())"] } + files.map { $0.path() }
    let (status, bytes) = try await run(URL(filePath: "/usr/bin/env"), arguments)
    return (status, String(decoding: bytes, as: UTF8.self))
  }

  private static func run(_ program: URL, _ arguments: [String]) async throws -> (
    status: Int32, bytes: [UInt8]
  ) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "openapi-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = folder.appending(path: "output")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    let (ended, end) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { process in
      end.yield(process.terminationStatus)
      end.finish()
    }
    try process.run()
    let status = await ended.first { _ in true } ?? -1
    return (status, [UInt8](try Data(contentsOf: output)))
  }
}
