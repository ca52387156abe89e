import Foundation
import ImportScanning
import Testing

/// The boundary in the sample app as it is delivered.
enum Estate {
  static let folder = Checkout.folder.appending(path: "Samples/Estate")
  static let modules = ["Listings", "HomeDetail", "Mortgage", "Account", "Help"]

  static var isThere: Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
  }

  static func sources(of module: String, in package: URL) -> [URL] {
    let found = FileManager.default.enumerator(
      at: package.appending(path: "Sources/Modules/\(module)"), includingPropertiesForKeys: nil)
    return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .sorted { $0.path < $1.path }
  }

  /// Copies the sample without its build products; its dependency on the checkout keeps pointing there.
  static func copy(to target: URL) throws {
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    for entry in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    {
      try FileManager.default.copyItem(at: entry, to: target.appending(path: entry.lastPathComponent))
    }
    let manifest = target.appending(path: "Package.swift")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try #require(text.contains("\"../..\""), "the sample's manifest names the checkout in another way")
    try text.replacing("\"../..\"", with: "\"\(Checkout.folder.path)\"")
      .write(to: manifest, atomically: true, encoding: .utf8)
  }
}

extension NestedBuilds {
  // On a developer's machine the sample may be missing; where a change is judged it may not.
  @Suite(.enabled(if: Estate.isThere || Checkout.isContinuousIntegration, "Samples/Estate is not there"))
  struct EstateBoundaryTests {
    @Test("F1: no business module of the sample imports another", arguments: Estate.modules)
    func imports(module: String) throws {
      let sources = Estate.sources(of: module, in: Estate.folder)
      try #require(!sources.isEmpty, "\(module) has no sources")
      let others = Estate.modules.filter { $0 != module }.map { ForbiddenModule(name: $0) }
      let rule = BoundaryRule(module: module, forbidden: others)
      for source in sources {
        let violations = rule.violations(in: try Data(contentsOf: source), path: source.path)
        #expect(violations.isEmpty)
      }
    }

    @Test("G6: an import planted in the sample's Listings fails its build with file, line and remedy")
    func plantedImport() async throws {
      let temporary = try TemporaryFolder()
      let copy = temporary.url.appending(path: "Estate")
      try Estate.copy(to: copy)
      let source = try #require(Estate.sources(of: "Listings", in: copy).first)
      let text = try String(contentsOf: source, encoding: .utf8)
      try ("import Mortgage\n" + text).write(to: source, atomically: true, encoding: .utf8)
      let scratch = temporary.url.appending(path: "scratch")
      let outcome = try await Command.build(package: copy, scratch: scratch, "--target", "Listings").run()
      #expect(outcome.status != 0)
      let expected =
        "\(source.path):1:8: error: module 'Listings' may not import module 'Mortgage'; open its route"
      #expect(outcome.lines.contains { $0.hasPrefix(expected) }, "\(outcome)")
    }
  }
}
