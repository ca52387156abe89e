import CommandRunning
import Foundation
import ImportScanning
import Testing

extension NestedBuilds {
  // The sample may be missing from a developer's machine, but not in CI.
  @Suite(
    .enabled(if: EstateSample.isThere || Checkout.isContinuousIntegration, "Samples/Estate is not there"))
  struct EstateBoundaryTests {
    @Test("F1: no business module of the sample imports another")
    func imports() throws {
      let modules = EstateSample.modules
      try #require(Set(modules).isSuperset(of: ["Listings", "HomeDetail", "Mortgage", "Account", "Help"]))
      for module in modules {
        let sources = EstateSample.sources(of: module, in: EstateSample.folder)
        #expect(!sources.isEmpty, "\(module) has no sources")
        let others = modules.filter { $0 != module }.map { ForbiddenModule(name: $0) }
        let rule = BoundaryRule(module: module, forbidden: others)
        for source in sources {
          let violations = rule.violations(in: try Data(contentsOf: source), path: source.path)
          #expect(violations.isEmpty)
        }
      }
    }

    @Test("G6: an import planted in the sample's Listings fails the app's build with file, line and remedy")
    func plantedImport() async throws {
      let place = try #require(BuildPlace.current)
      let copy = try await place.layOutSample()
      let source = try #require(EstateSample.sources(of: "Listings", in: copy).first)
      let text = try String(contentsOf: source, encoding: .utf8)
      try ("import Mortgage\n" + text).write(to: source, atomically: true, encoding: .utf8)
      let outcome = try await place.scratch.swift("build", package: copy, ["--target", "EstateApp"])
      #expect(outcome.status != 0)
      let expected =
        "\(source.path):1:8: error: module 'Listings' may not import module 'Mortgage'; open its route"
      #expect(outcome.lines.contains { $0.hasPrefix(expected) }, "\(outcome)")
    }

    @Test("G4: a module made by new-module runs in the sample with no other edit than the app's list")
    func addedModule() async throws {
      let place = try #require(BuildPlace.current)
      let copy = try await place.layOutSample()
      let made = try await place.scratch.swift(
        "package", package: copy, ["--allow-writing-to-package-directory", "new-module", "Offers"])
      try #require(made.status == 0, "\(made)")
      try EstateSample.listOffers(in: copy)
      try EstateSample.addOpener(to: copy)
      let build = try await place.scratch.swift("build", package: copy, ["--product", "estate-opener"])
      try #require(build.status == 0, "\(build)")
      // The module needs no server, so any well-formed state of a server will do.
      let folder = try TemporaryFolder(prefix: "state")
      let state = try EstateSample.makeState(in: folder.url)
      let outcome = try await Command(place.program("estate-opener"), state.path, "estate://offers").run()
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.lines.contains("  = Offers is here"), "\(outcome)")
      #expect(outcome.lines.last == "demo: 0 requests, 0 from cache, 0 errors")
    }
  }
}
