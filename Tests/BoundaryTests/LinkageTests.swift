import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// The libraries that programs load if they use one product only; they are built in Tests/LinkageTest.
  @Suite struct LinkageTests {
    private static let products = ["Interception", "Mediation", "APIManagers", "CurlTransport"]

    @Test("A program of one product loads the libraries that docs/requirements.txt lists for it")
    func alone() async throws {
      let place = try #require(BuildPlace.current)
      let outcome = try await place.buildLinkageTest()
      try #require(outcome.status == 0, "\(outcome)")
      let table = RequirementsTable(
        try String(contentsOf: Checkout.folder.appending(path: "docs/requirements.txt"), encoding: .utf8))

      func libraries(of program: String) async throws -> Set<String> {
        let listing = try await Command("ldd", place.program(program)).run()
        try #require(listing.status == 0, "\(listing)")
        let libraries = LinkedLibraries(ldd: listing.output)
        try #require(libraries.names.contains("libswiftCore.so") && libraries.missing.isEmpty, "\(listing)")
        return table.listed(among: libraries)
      }

      for product in Self.products {
        let listed = try #require(table.products[product])
        let loaded = try await libraries(of: "\(product)Alone")
        // libcurl itself loads others, depending on how it was built.
        if listed.contains("libcurl") {
          #expect(loaded.isSuperset(of: listed), "\(product)")
        } else {
          #expect(loaded == listed, "\(product)")
        }
      }
      // The control proves that Foundation would be noticed.
      #expect(try await libraries(of: "FoundationControl") == ["Foundation"])
    }
  }
}
