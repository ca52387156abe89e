import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// The plugin in a consumer's package: each test plants one fault and expects the build to name it.
  @Suite struct ModuleBoundaryTests {
    private let fixture: FixturePackage
    private let remedy = "open its route by URL, or depend on MortgageRoutes"
    private let listing = "Sources/Modules/Listings/Listing.swift"

    init() throws { fixture = try #require(BuildPlace.current).fixture }

    @Test("F1: business modules compile without importing each other")
    func clean() async throws {
      try fixture.layOut()
      let outcome = try await fixture.build("--explicit-target-dependency-import-check", "error")
      #expect(outcome.status == 0, "\(outcome)")
    }

    @Test("F1: a business module compiles in a package that has no other one")
    func alone() async throws {
      try fixture.layOut { $0.others = [] }
      let outcome = try await fixture.build("--target", "Listings")
      #expect(outcome.status == 0, "\(outcome)")
    }

    @Test("G6: an import of another business module fails the build with file, line and remedy")
    func plantedImport() async throws {
      try fixture.layOut()
      try fixture.write(
        "// The other module's type, by its name.\ninternal import struct Mortgage.Offer\n",
        to: "Sources/Modules/Listings/Planted.swift")
      defer {
        try? FileManager.default.removeItem(at: fixture.file("Sources/Modules/Listings/Planted.swift"))
      }
      let outcome = try await fixture.build("--target", "Listings")
      #expect(outcome.status != 0)
      let place = "\(fixture.file("Sources/Modules/Listings/Planted.swift").path):2:24"
      let message = "module 'Listings' may not import module 'Mortgage'; \(remedy)"
      #expect(outcome.reports(at: place, message), "\(outcome)")
    }

    @Test("G6: an import added to an existing file fails the build that follows a green one")
    func incrementalImport() async throws {
      try fixture.layOut()
      // The second build writes the plan that the third one uses: the tool checks instead of the plugin.
      for _ in 0..<2 {
        let before = try await fixture.build()
        try #require(before.status == 0, "\(before)")
      }
      try fixture.write(
        "#if canImport(Mortgage)\nimport Mortgage\n#endif\n" + FixturePackage.listing, to: listing)
      let after = try await fixture.build()
      #expect(after.status != 0)
      let expected =
        "\(fixture.file(listing).path):2:8: error: module 'Listings' may not import module 'Mortgage'"
      #expect(after.lines.contains { $0.hasPrefix(expected) }, "\(after)")

      try fixture.layOut()
      let repaired = try await fixture.build()
      #expect(repaired.status == 0, "the build stays broken after the repair: \(repaired)")
    }

    @Test("G6: the error for a module without a contract target says to declare one")
    func withoutContract() async throws {
      try fixture.layOut()
      try fixture.write("import Help\n" + FixturePackage.listing, to: listing)
      let outcome = try await fixture.build("--target", "Listings")
      #expect(outcome.status != 0)
      #expect(
        outcome.reports(
          at: "\(fixture.file(listing).path):1:8", "module 'Listings' may not import module 'Help'"),
        "\(outcome)")
      #expect(outcome.output.contains("declare its typed routes in a target HelpRoutes"), "\(outcome)")
    }

    @Test("G6: a declared dependency on another business module fails the build at its line in the manifest")
    func declaredDependency() async throws {
      var manifest = ManifestText(checkout: Checkout.folder)
      manifest.listingsDependencies.append("Mortgage")
      try fixture.layOut { $0 = manifest }
      let outcome = try await fixture.build("--target", "Listings")
      #expect(outcome.status != 0)
      let line = try #require(manifest.line(of: "\"Mortgage\"", after: "\"Listings\","))
      let message =
        "error: \(fixture.manifest.path):\(line): module 'Listings' may not depend on module 'Mortgage'; \(remedy)"
      #expect(
        outcome.lines.contains(message), "\(outcome)"
      )
    }

    @Test(
      "G6: a dependency on another business module through a third target fails the build and names the way")
    func transitiveDependency() async throws {
      var manifest = ManifestText(checkout: Checkout.folder)
      manifest.formattingDependencies = ["Mortgage"]
      try fixture.layOut { $0 = manifest }
      let outcome = try await fixture.build("--target", "Listings")
      #expect(outcome.status != 0)
      let line = try #require(manifest.line(of: "\"Mortgage\"", after: "name: \"Formatting\""))
      let message =
        "error: \(fixture.manifest.path):\(line): module 'Listings' may not depend on module 'Mortgage' "
        + "(Listings → Formatting → Mortgage); \(remedy)"
      #expect(
        outcome.lines.contains(message), "\(outcome)"
      )
    }

    @Test("G6: the error for a contract in the folder of the business modules says to move it")
    func misplacedContract() async throws {
      try fixture.layOut { $0.contractFolder = "Sources/Modules" }
      try fixture.write(
        "public let mortgageRoute = \"/mortgage\"\n", to: "Sources/Modules/MortgageRoutes/Routes.swift")
      defer { try? FileManager.default.removeItem(at: fixture.file("Sources/Modules/MortgageRoutes")) }
      let outcome = try await fixture.build("--target", "Listings")
      #expect(outcome.status != 0)
      #expect(
        outcome.output.contains(
          "may not depend on module 'MortgageRoutes'; it is in the folder of the business modules and therefore"
        ),
        "\(outcome)")
    }
  }
}
