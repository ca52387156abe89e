import Foundation
import ImportScanning
import Testing

/// The business modules of the sample app, which are folders next to each other.
struct EstateBoundaryTests {
  private static let folder = Checkout.folder.appending(path: "Samples/Estate/Sources/Modules")

  private static func sources(of module: String) -> [URL] { sources(in: folder.appending(path: module)) }

  private static func sources(in folder: URL) -> [URL] {
    let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
  }

  @Test("F1: no business module of the sample imports another")
  func imports() throws {
    let modules = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      .filter { !$0.hasPrefix(".") }
    try #require(Set(modules).isSuperset(of: ["Listings", "HomeDetail", "Mortgage", "Account", "Help"]))
    for module in modules {
      let sources = Self.sources(of: module)
      #expect(!sources.isEmpty, "\(module) has no sources")
      let others = modules.filter { $0 != module }.map { ForbiddenModule(name: $0) }
      let rule = BoundaryRule(module: module, forbidden: others)
      for source in sources {
        let violations = rule.violations(in: try Data(contentsOf: source), path: source.path)
        #expect(violations.isEmpty)
      }
    }
  }

  @Test("J4: The sample's modules are in layers that point downwards, and import no network of the app")
  func layers() throws {
    let sources = Self.folder.deletingLastPathComponent()
    let shared = try ["EstateContract", "Network", "Screens"].flatMap { folder -> [ModuleSource] in
      let files = Self.sources(in: sources.appending(path: folder))
      try #require(!files.isEmpty)
      return try Self.read(files, in: sources)
    }
    let network = BoundaryRule(module: "a module", forbidden: [ForbiddenModule(name: "EstateNetwork")])
    for module in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    where !module.hasPrefix(".") {
      let files = Self.sources(of: module)
      let read = try Self.read(files, in: Self.folder.appending(path: module))
      #expect(LayerRule(module: module).violations(in: read, of: module, using: shared) == [])
      for source in read { #expect(network.violations(in: source.text, path: source.path) == []) }
    }
  }

  private static func read(_ files: [URL], in folder: URL) throws -> [ModuleSource] {
    try files.map { file in
      ModuleSource(
        path: file.path, place: String(file.path.dropFirst(folder.path.count + 1)),
        text: try Data(contentsOf: file))
    }
  }
}
