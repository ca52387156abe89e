import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// An app that depends on the package, built by each of SwiftPM's build systems.
  @Suite struct BuildSystemTests {
    @Test(
      "L5: An app builds under both build systems, and both refuse a module that imports another",
      arguments: ["native", "swiftbuild"])
    func both(system: String) async throws {
      let place = try #require(BuildPlace.current)
      let shop = try system == "native" ? place.makeShop() : place.makeShop(buildSystem: system)
      try shop.addOffers()
      let clean = try await shop.swift("build", "--product", "shop")
      #expect(clean.status == 0, "\(clean)")

      let planted = "Sources/Modules/Offers/Planted.swift"
      try shop.write("// Planted.\nimport Help\n", to: planted)
      let refused = try await shop.swift("build", "--product", "shop")
      #expect(refused.status != 0)
      let message =
        "module 'Offers' may not import module 'Help'; open its route by URL, or depend on HelpRoutes"
      #expect(refused.reports(at: "\(shop.file(planted).path):2:8", message), "\(refused)")

      try FileManager.default.removeItem(at: shop.file(planted))
      let repaired = try await shop.swift("build", "--product", "shop")
      #expect(repaired.status == 0, "the build stays broken after the repair: \(repaired)")
    }
  }
}
