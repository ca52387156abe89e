import Foundation
import ImportScanning
import Testing

/// The business modules of the sample app, which are folders next to each other.
struct EstateBoundaryTests {
  private static let folder = Checkout.folder.appending(path: "Samples/Estate/Sources/Modules")

  private static func sources(of module: String) -> [URL] {
    let found = FileManager.default.enumerator(
      at: folder.appending(path: module), includingPropertiesForKeys: nil)
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
}
