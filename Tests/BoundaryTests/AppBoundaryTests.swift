import Foundation
import Testing

extension NestedBuilds {
  /// The plugin on an app's target alone, which checks the modules for all of them.
  @Suite(FixtureTrait()) struct AppBoundaryTests {
    private let fixture: FixturePackage
    private let remedy = "open its route by URL, or depend on MortgageRoutes"
    private let listing = "Sources/Modules/Listings/Listing.swift"
    private let article = "Sources/Modules/Help/Article.swift"

    init() throws { fixture = try #require(FixturePackage.shared) }

    private func layOut(_ edit: (inout ManifestText) -> Void = { _ in }) throws -> ManifestText {
      var manifest = ManifestText(checkout: Checkout.folder)
      manifest.isGuardedByApp = true
      edit(&manifest)
      try fixture.layOut { $0 = manifest }
      try fixture.write("import Listings\n", to: "Sources/App/App.swift")
      return manifest
    }

    @Test("G6: an app's plugin finds imports added later to modules, also to one that the app doesn't use")
    func addedImports() async throws {
      _ = try layOut()
      let before = try await fixture.build()
      try #require(before.status == 0, "\(before)")
      try fixture.write("import Mortgage\n" + FixturePackage.listing, to: listing)
      try fixture.write("@testable import Listings\npublic struct Article {}\n", to: article)
      // One at a time: the build ends at the first command that fails.
      let first = try await fixture.build("--jobs", "1")
      #expect(first.status != 0)
      let expected = [
        "\(fixture.file(listing).path):1:8: error: module 'Listings' may not import module 'Mortgage'; \(remedy)",
        "\(fixture.file(article).path):1:18: error: module 'Help' may not import module 'Listings'; open its route "
          + "by URL, or declare its typed routes in a target ListingsRoutes and depend on that",
      ]
      #expect(first.lines.contains { expected.contains($0) }, "\(first)")

      try fixture.write(FixturePackage.listing, to: listing)
      let second = try await fixture.build()
      #expect(second.status != 0)
      #expect(second.lines.contains(expected[1]), "\(second)")

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
  }
}
