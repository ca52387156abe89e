import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// `swift package verify-modules`, as CI runs it.
  @Suite struct VerifyModulesTests {
    private let fixture: FixturePackage
    private let remedy = "open its route by URL, or depend on MortgageRoutes"
    private let planted = "Sources/Modules/Help/Planted.swift"

    init() throws { fixture = try #require(BuildPlace.current).fixture }

    @Test("G6: verify-modules lists every violation of the whole package in one run, and exits 1")
    func violations() async throws {
      var manifest = ManifestText(checkout: Checkout.folder)
      manifest.formattingDependencies = ["Mortgage"]
      try fixture.layOut { $0 = manifest }
      try fixture.write("import Listings\nimport Mortgage\n", to: planted)
      let formatting = "Sources/Platform/Formatting/Planted.swift"
      try fixture.write("@testable import Mortgage\n", to: formatting)
      defer {
        for path in [planted, formatting] { try? FileManager.default.removeItem(at: fixture.file(path)) }
      }
      let outcome = try await fixture.verify()
      #expect(outcome.status == 1, "\(outcome)")
      let line = try #require(manifest.line(of: "\"Mortgage\"", after: "name: \"Formatting\""))
      let help = fixture.file(planted).path
      #expect(
        outcome.lines.filter { $0.hasPrefix(fixture.file("").path) } == [
          "\(help):1:8: error: module 'Help' may not import module 'Listings'; open its route by URL, or "
            + "declare its typed routes in a target ListingsRoutes and depend on that",
          "\(help):2:8: error: module 'Help' may not import module 'Mortgage'; \(remedy)",
          "\(fixture.manifest.path):\(line): error: module 'Listings' may not depend on module 'Mortgage' "
            + "(Listings → Formatting → Mortgage); \(remedy)",
          "\(fixture.file(formatting).path):1:18: error: module 'Formatting' may not import module "
            + "'Mortgage'; \(remedy)",
        ], "\(outcome)")
      #expect(
        outcome.output.contains("error: 4 violations of the boundaries of 3 business modules"), "\(outcome)")
    }

    @Test("G6: verify-modules passes a clean package, and builds none of its modules")
    func clean() async throws {
      try fixture.layOut()
      let outcome = try await fixture.verify()
      #expect(outcome.status == 0, "\(outcome)")
      #expect(
        outcome.output.contains(
          "verify-modules: 3 business modules keep their boundaries: Help, Listings, Mortgage"), "\(outcome)")
      #expect(!outcome.output.contains("Compiling Listings"), "\(outcome)")
      let quiet = try await fixture.verify("", "--quiet")
      #expect(quiet.status == 0 && !quiet.output.contains("keep their boundaries"), "\(quiet)")
    }

    @Test("Invalid arguments of verify-modules are refused with a reason, and --help explains the command")
    func arguments() async throws {
      try fixture.layOut()
      let nowhere = try await fixture.verify("", "--modules", "Features")
      #expect(nowhere.status == 1)
      #expect(nowhere.output.contains("no target is in a folder named Features; name the folder"))
      let wrong = try await fixture.verify("", "--frobnicate")
      #expect(wrong.status == 1)
      #expect(wrong.output.contains("unknown argument --frobnicate"), "\(wrong)")
      let help = try await fixture.verify("", "--help")
      #expect(help.status == 0)
      #expect(help.output.contains("USAGE: swift package verify-modules"), "\(help)")
    }
  }
}
