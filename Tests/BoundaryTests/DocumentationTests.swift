import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// The code in README.md, in the articles and in doc comments.
  @Suite struct DocumentationTests {
    private let place: BuildPlace

    init() throws { place = try #require(BuildPlace.current) }

    @Test("Every Swift block of README.md, articles and doc comments compiles, and the tests among them pass")
    func snippets() async throws {
      let package = try SnippetPackage()
      for path in try Documents.paths() where !Documents.behindTraits.contains(Documents.module(of: path)) {
        let text = try String(contentsOf: Checkout.folder.appending(path: path), encoding: .utf8)
        try package.add(Documents.blocks(of: text).filter { $0.language == "swift" }, of: path)
      }
      for file in try DocComments.files() {
        let module = Documents.module(of: file.path)
        guard !Documents.behindTraits.contains(module) else { continue }
        try package.add(file, given: DocComments.given(to: module, at: file.path))
      }
      #expect(package.documents.contains("README.md"))
      #expect(package.documents.count >= 50, "\(package.documents)")
      #expect(package.comments >= 100)
      try package.finish()
      let outcome = try await place.scratchWithSQLite.swift("test", package: package.folder)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.contains("Test run with"), "\(outcome)")
    }

    @Test("Every Swift block about a module that needs a trait stands in a test of the module")
    func quotations() throws {
      var count = 0
      func check(_ blocks: [Documents.Block], of path: String) throws {
        let sources = try Quotations.sources(ofTestsOf: Documents.module(of: path))
        for block in blocks where block.language == "swift" {
          count += 1
          let isQuoted = sources.contains { Quotations.lines(of: $0, contain: block.text) }
          #expect(isQuoted, "\(path):\(block.line): no test has these lines:\n\(block.text)")
        }
      }
      for path in try Documents.paths() where Documents.behindTraits.contains(Documents.module(of: path)) {
        let text = try String(contentsOf: Checkout.folder.appending(path: path), encoding: .utf8)
        try check(Documents.blocks(of: text), of: path)
      }
      for file in try DocComments.files()
      where Documents.behindTraits.contains(Documents.module(of: file.path)) {
        try check(file.blocks, of: file.path)
      }
      #expect(count >= 10)
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
