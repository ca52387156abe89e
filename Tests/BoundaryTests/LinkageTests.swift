import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// The libraries that programs load if they use one product only; they are built in Tests/LinkageTest.
  @Suite struct LinkageTests {
    private static let products = ["Interception", "Mediation", "APIManagers", "CurlTransport"]

    @Test("A program of one product loads the libraries that the package's graph has for it")
    func alone() async throws {
      let place = try #require(BuildPlace.current)
      let outcome = try await place.buildLinkageTest()
      try #require(outcome.status == 0, "\(outcome)")
      let graph = try await PackageGraph.ofCheckout()

      func needs(of program: String) async throws -> PackageGraph.Needs {
        let listing = try await Command("ldd", place.program(program)).run()
        try #require(listing.status == 0, "\(listing)")
        let libraries = LinkedLibraries(ldd: listing.output)
        try #require(libraries.names.contains("libswiftCore.so") && libraries.missing.isEmpty, "\(listing)")
        return libraries.needs
      }

      for product in Self.products {
        let linked = graph.needs(of: product)
        var loaded = try await needs(of: "\(product)Alone")
        // libcurl itself loads others, depending on how it was built.
        if linked.libraries.contains(.libcurl) { loaded.libraries.formIntersection(linked.libraries) }
        #expect(loaded == linked, "\(product)")
      }
      // The control proves that Foundation would be noticed.
      #expect(try await needs(of: "FoundationControl") == PackageGraph.Needs(foundation: .whole))
    }
  }
}
