import CommandRunning
import Foundation

/// A package with a program for each document, made of the document's Swift blocks in order.
///
/// Blocks that import Testing are the program's tests. What a document leaves out stands in its comments
/// `<!-- given … -->`.
final class SnippetPackage {
  private let temporary: TemporaryFolder
  private var targets: [String] = []
  /// The paths of the documents with code, in order.
  private(set) var documents: [String] = []

  init() throws { temporary = try TemporaryFolder(prefix: "snippets") }

  var folder: URL { temporary.url }

  /// Adds the blocks of a document; manifests are left out.
  func add(_ blocks: [Documents.Block], of path: String) throws {
    let blocks = blocks.filter { !$0.isManifest }
    guard !blocks.isEmpty else { return }
    documents.append(path)
    let name =
      "Document" + path.dropLast(".md".count).split(separator: "/").suffix(1).joined()
    let code = blocks.filter { !$0.isTest }.map { Self.located($0, in: path) }.joined(separator: "\n")
    try folder.write(code, to: "Sources/\(name)/main.swift")
    targets.append(".executableTarget(name: \"\(name)\", dependencies: products)")
    let tests = blocks.filter(\.isTest)
    guard !tests.isEmpty else { return }
    for test in tests {
      try folder.write(
        "@testable import \(name)\n" + Self.located(test, in: path),
        to: "Tests/\(name)Tests/Line\(test.line).swift")
    }
    targets.append(".testTarget(name: \"\(name)Tests\", dependencies: [\"\(name)\"] + products)")
  }

  /// Writes the manifest.
  func finish() throws {
    let products = ["Switchyard", "SwitchyardTesting", "MediationTesting", "RouteManifests", "Inspection"]
      .map { ".product(name: \"\($0)\", package: \"Switchyard\")" }
    try folder.write(
      """
      // swift-tools-version: 6.3
      import PackageDescription

      let products: [Target.Dependency] = [\(products.joined(separator: ", "))]
      let package = Package(
        name: "Snippets",
        dependencies: [.package(name: "Switchyard", path: "\(Checkout.folder.path)")],
        targets: [
          \(targets.joined(separator: ",\n    ")),
        ]
      )
      """, to: "Package.swift")
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
