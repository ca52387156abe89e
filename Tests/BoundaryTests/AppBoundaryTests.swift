import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// The plugin on the app's target only, which checks all modules.
  @Suite struct AppBoundaryTests {
    private let fixture: FixturePackage
    private let remedy = "open its route by URL, or depend on MortgageRoutes"
    private let listing = "Sources/Modules/Listings/Listing.swift"
    private let article = "Sources/Modules/Help/Article.swift"

    init() throws { fixture = try #require(BuildPlace.current).fixture }

    private func layOut(_ edit: (inout ManifestText) -> Void = { _ in }) throws -> ManifestText {
      var manifest = ManifestText(checkout: Checkout.folder)
      manifest.isGuardedByApp = true
      edit(&manifest)
      try fixture.layOut { $0 = manifest }
      // Targets next to the app in Sources are not business modules, so the app may import them.
      try fixture.write(
        "import Listings\nimport Theme\n\nfunc label(of listing: Listing) -> String { listing.label }\n",
        to: "Sources/App/App.swift")
      try fixture.write("public let accent = 0x0A84FF\n", to: "Sources/Theme/Theme.swift")
      return manifest
    }

    private func compilesApp(_ build: Command.Outcome) -> Bool {
      build.output.contains("Compiling App") || build.output.contains("Emitting module App")
    }

    @Test("G6: an app's plugin finds imports added later to modules, also to one that the app doesn't use")
    func addedImports() async throws {
      _ = try layOut()
      let before = try await fixture.build()
      try #require(before.status == 0, "\(before)")
      try fixture.write("import Mortgage\n" + FixturePackage.listing, to: listing)
      try fixture.write("@testable import Listings\npublic struct Article {}\n", to: article)
      let first = try await fixture.build()
      #expect(first.status != 0)
      let inListings = "module 'Listings' may not import module 'Mortgage'; \(remedy)"
      #expect(first.reports(at: "\(fixture.file(listing).path):1:8", inListings), "\(first)")

      try fixture.write(FixturePackage.listing, to: listing)
      let second = try await fixture.build()
      #expect(second.status != 0)
      let inHelp =
        "module 'Help' may not import module 'Listings'; open its route by URL, or declare its typed routes in a "
        + "target ListingsRoutes and depend on that"
      #expect(second.reports(at: "\(fixture.file(article).path):1:18", inHelp), "\(second)")

      _ = try layOut()
      let repaired = try await fixture.build()
      #expect(repaired.status == 0, "the build stays broken after the repair: \(repaired)")
    }

    @Test("G6: an app's plugin fails the build at the dependencies that modules declare, whatever is built")
    func declaredDependencies() async throws {
      let manifest = try layOut {
        $0.listingsDependencies.append("Help")
        $0.formattingDependencies = ["Mortgage"]
      }
      let outcome = try await fixture.build("--target", "Listings")
      #expect(outcome.status != 0)
      let declared = try #require(manifest.line(of: "\"Help\"", after: "\"Listings\","))
      let transitive = try #require(manifest.line(of: "\"Mortgage\"", after: "name: \"Formatting\""))
      for message in [
        "\(declared): module 'Listings' may not depend on module 'Help'; open its route by URL, or declare its "
          + "typed routes in a target HelpRoutes and depend on that",
        "\(transitive): module 'Listings' may not depend on module 'Mortgage' (Listings → Formatting → Mortgage); "
          + remedy,
      ] {
        #expect(outcome.lines.contains("error: \(fixture.manifest.path):\(message)"), "\(outcome)")
      }
    }

    @Test("G6: a target that lies beside others and depends on modules elsewhere is checked as a module too")
    func moduleElsewhere() async throws {
      let offers = "Sources/Features/Offers/Offers.swift"
      defer { try? FileManager.default.removeItem(at: fixture.file("Sources/Features")) }
      func layOutOffers(_ edit: (inout ManifestText) -> Void = { _ in }) throws -> ManifestText {
        try fixture.write("public struct Order {}\n", to: "Sources/Features/Orders/Order.swift")
        try fixture.write("import Listings\n", to: offers)
        return try layOut {
          $0.offersDependencies = ["Listings"]
          edit(&$0)
        }
      }
      _ = try layOutOffers()
      let clean = try await fixture.build("--target", "Offers")
      try #require(clean.status == 0, "\(clean)")

      try fixture.write("#if canImport(Orders)\nimport Orders\n#endif\n", to: offers)
      let imported = try await fixture.build("--target", "Offers")
      #expect(imported.status != 0)
      let sibling = "module 'Offers' may not import module 'Orders'"
      #expect(imported.reports(at: "\(fixture.file(offers).path):2:8", sibling), "\(imported)")

      // The dependencies of Offers are checked, too.
      let manifest = try layOutOffers {
        $0.offersDependencies?.append("Orders")
        $0.listingsDependencies.append("Help")
      }
      let declared = try await fixture.build("--target", "Offers")
      #expect(declared.status != 0)
      let own = try #require(manifest.line(of: "\"Orders\"", after: "name: \"Offers\""))
      let reached = try #require(manifest.line(of: "\"Help\"", after: "\"Listings\","))
      for start in [
        "\(own): module 'Offers' may not depend on module 'Orders'",
        "\(reached): module 'Listings' may not depend on module 'Help'",
      ] {
        let expected = "error: \(fixture.manifest.path):\(start)"
        #expect(declared.lines.contains { $0.hasPrefix(expected) }, "\(declared)")
      }
    }

    @Test(
      "G6: an undeclared import of a module with a C module below it is reported before the compiler stops")
    func moduleWithC() async throws {
      _ = try layOut { $0.hasModuleWithC = true }
      defer { try? FileManager.default.removeItem(at: fixture.file("Sources/Modules/Rates")) }
      try fixture.write("#define RATE 4\n", to: "Sources/Platform/CRates/include/rates.h")
      try fixture.write("import CRates\npublic let rate = RATE\n", to: "Sources/Modules/Rates/Rates.swift")
      try fixture.write("import Rates\n" + FixturePackage.listing, to: listing)
      let outcome = try await fixture.build()
      #expect(outcome.status != 0)
      let place = "\(fixture.file(listing).path):1:8"
      #expect(outcome.reports(at: place, "module 'Listings' may not import module 'Rates'"), "\(outcome)")
      #expect(!outcome.output.contains("missing required module"), "\(outcome)")
    }

    @Test(
      "G6: after an edit the app's plugin checks again, and a passing check causes no recompilation")
    func stamps() async throws {
      _ = try layOut()
      let before = try await fixture.build()
      try #require(before.status == 0, "\(before)")

      try fixture.write(FixturePackage.listing + "\n// Edited.\n", to: listing)
      let edited = try await fixture.build()
      #expect(edited.status == 0 && edited.output.contains("Checking the boundary of Listings"), "\(edited)")
      #expect(edited.output.contains("Compiling Listings"), "\(edited)")
      #expect(!compilesApp(edited), "\(edited)")

      // A change that affects the app: a new property precedes the one that it reads.
      let rooms = FixturePackage.listing.replacing(
        "public var price", with: "public var rooms = 0\n  public var price")
      try fixture.write(rooms, to: listing)
      let changed = try await fixture.build()
      #expect(changed.status == 0 && compilesApp(changed), "\(changed)")

      let stamp = try #require(fixture.stamp(of: "Listings", by: "App"))
      try FileManager.default.removeItem(at: stamp)
      let restored = try await fixture.build()
      #expect(restored.status == 0, "\(restored)")
      #expect(FileManager.default.fileExists(atPath: stamp.path), "\(restored)")
    }
  }
}
