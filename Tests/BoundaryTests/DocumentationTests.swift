import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// The code in README.md and in the articles.
  @Suite struct DocumentationTests {
    private let place: BuildPlace

    init() throws { place = try #require(BuildPlace.current) }

    @Test("Every Swift block of README.md and of the articles compiles, and the tests among them pass")
    func snippets() async throws {
      let package = try SnippetPackage()
      for path in try Documents.paths() {
        let text = try String(contentsOf: Checkout.folder.appending(path: path), encoding: .utf8)
        try package.add(Documents.blocks(of: text).filter { $0.language == "swift" }, of: path)
      }
      #expect(package.documents.contains("README.md"))
      #expect(package.documents.count >= 5, "\(package.documents)")
      try package.finish()
      let outcome = try await place.scratch.swift("test", package: package.folder)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.contains("Test run with"), "\(outcome)")
    }

    @Test("Every manifest of README.md and of the articles is valid")
    func manifests() async throws {
      let temporary = try TemporaryFolder(prefix: "manifests")
      var count = 0
      for path in try Documents.paths() {
        let text = try String(contentsOf: Checkout.folder.appending(path: path), encoding: .utf8)
        for block in Documents.blocks(of: text) where block.isManifest {
          count += 1
          let folder = temporary.url.appending(path: "\(count)")
          try folder.write(
            block.text.replacing("\"../Switchyard\"", with: "\"\(Checkout.folder.path)\""),
            to: "Package.swift")
          let dump = try await Command("swift", "package", "--package-path", folder.path, "dump-package")
            .run()
          #expect(dump.status == 0, "\(path):\(block.line): \(dump)")
        }
      }
      #expect(count >= 2)
    }

    @Test("The tutorial, followed line by line from an empty folder, builds an app that passes its tests")
    func tutorial() async throws {
      let path = "Sources/Switchyard/Switchyard.docc/\(Documents.tutorial)"
      let text = try String(contentsOf: Checkout.folder.appending(path: path), encoding: .utf8)
      let reader = try TutorialReader(scratch: place.scratch)
      for block in Documents.blocks(of: text) { try await reader.follow(block, of: path) }
      #expect(reader.writtenFiles >= 10 && reader.runCommands >= 5)
    }
  }
}
