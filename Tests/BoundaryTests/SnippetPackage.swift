import CommandRunning
import Foundation

/// A package with the code of documents and doc comments.
///
/// A document with tests is a program, made of its other blocks in order, with these tests. All other
/// documents, and all doc comments, are functions of one target, because linking a program takes longer than
/// compiling it. They are not run. What a document leaves out stands in its comments `<!-- given -->`, and
/// what doc comments leave out in one of the landing page of their module.
final class SnippetPackage {
  /// The modules that the code of doc comments can use without importing them.
  private static let modules = ["Foundation", "Switchyard", "SwitchyardTesting", "Testing"]

  private let temporary: TemporaryFolder
  private var targets: [String] = []
  /// The paths of the documents with code, in order.
  private(set) var documents: [String] = []
  /// The number of blocks of doc comments.
  private(set) var comments = 0

  init() throws { temporary = try TemporaryFolder(prefix: "snippets") }

  var folder: URL { temporary.url }

  /// Adds the blocks of a document; manifests are left out.
  func add(_ blocks: [Documents.Block], of path: String) throws {
    let blocks = blocks.filter { !$0.isManifest }
    guard !blocks.isEmpty else { return }
    documents.append(path)
    let name = "Document" + path.dropLast(".md".count).split(separator: "/").suffix(1).joined()
    let code = blocks.filter { !$0.isTest }.map { Self.located($0, in: path) }.joined(separator: "\n")
    let tests = blocks.filter(\.isTest)
    guard !tests.isEmpty else { return try write([CodeParts(code)], named: name) }
    try folder.write(code, to: "Sources/\(name)/main.swift")
    targets.append(".executableTarget(name: \"\(name)\", dependencies: products)")
    for test in tests {
      try folder.write(
        "@testable import \(name)\n" + Self.located(test, in: path),
        to: "Tests/\(name)Tests/Line\(test.line).swift")
    }
    targets.append(".testTarget(name: \"\(name)Tests\", dependencies: [\"\(name)\"] + products)")
  }

  /// Adds the blocks of a file's doc comments.
  ///
  /// - Parameter given: Imports, extensions, and the declarations that come before each block.
  func add(_ file: DocComments.File, given: String) throws {
    comments += file.blocks.count
    let name = file.path.dropLast(".swift".count).split(separator: "/").suffix(2).joined()
      .replacing(/[^A-Za-z]/, with: "")
    let given = CodeParts(given)
    // What is given may be declared again by a block, in the inner scope.
    let functions = file.blocks.map { block in
      CodeParts(
        given.statements.joined(separator: "\n") + "\ndo {\n" + Self.located(block, in: file.path) + "\n}")
    }
    try write(functions, named: name, with: given)
  }

  /// Writes the manifest.
  func finish() throws {
    let products = [
      "Switchyard", "SwitchyardTesting", "Deployment", "EmbeddedSecrets", "FeatureFlags", "FileTransfers",
      "Inspection", "MediationTesting", "RequestSigning", "RequestTelemetry", "ResourceLoading",
      "RouteManifests", "ScreenContents", "URLSessionTransport", "ValkeyStores", "WebPages",
      "WebSocketCompression", "WebSockets",
    ].map { ".product(name: \"\($0)\", package: \"Switchyard\")" }
    targets.append(".testTarget(name: \"DocumentTests\", dependencies: products + telemetry)")
    try folder.write(
      """
      /// A value of code that is compiled and never run.
      func placeholder<Value>(_ type: Value.Type = Value.self) -> Value { preconditionFailure("It is not run.") }
      func handle<Value>(_ value: Value) {}
      """, to: "Tests/DocumentTests/Placeholders.swift")
    try folder.write(
      """
      // swift-tools-version: 6.3
      import PackageDescription

      let products: [Target.Dependency] = [\(products.joined(separator: ", "))]
      let telemetry: [Target.Dependency] = [
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
      let package = Package(
        name: "Snippets",
        dependencies: [
          .package(name: "Switchyard", path: "\(Checkout.folder.path)", traits: ["SQLite"]),
          .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
          .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        ],
        targets: [
          \(targets.joined(separator: ",\n    ")),
        ]
      )
      """, to: "Package.swift")
  }

  /// Writes a file with a function for each piece of code.
  private func write(_ pieces: [CodeParts], named name: String, with given: CodeParts? = nil) throws {
    let all = pieces + (given.map { [$0] } ?? [])
    let standard = given == nil ? [] : Self.modules.map { "import \($0)" }
    let imports = Set(all.flatMap(\.imports) + standard).sorted()
    let functions = pieces.enumerated().map { index, piece in
      "@MainActor func \(name)\(index)() async throws {\n\(piece.statements.joined(separator: "\n"))\n}\n"
    }
    try folder.write(
      (imports + all.flatMap(\.extensions) + functions).joined(separator: "\n"),
      to: "Tests/DocumentTests/\(name).swift")
  }

  /// Returns a block whose errors the compiler reports at the document's lines.
  private static func located(_ block: Documents.Block, in path: String) -> String {
    """
    \(block.given)
    #sourceLocation(file: "\(path)", line: \(block.line))
    \(block.text)
    #sourceLocation()
    """
  }
}
