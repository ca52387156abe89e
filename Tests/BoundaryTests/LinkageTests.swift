import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// The libraries that programs link if they use one module only; they are built in Tests/LinkageTest.
  @Suite struct LinkageTests {
    @Test("Interception alone and Mediation alone link neither Foundation nor libcurl nor OpenSSL")
    func alone() async throws {
      let place = try #require(BuildPlace.current)
      let outcome = try await place.buildLinkageTest()
      try #require(outcome.status == 0, "\(outcome)")

      func libraries(of program: String) async throws -> LinkedLibraries {
        let listing = try await Command("ldd", place.program(program)).run()
        try #require(listing.status == 0, "\(listing)")
        let libraries = LinkedLibraries(ldd: listing.output)
        try #require(libraries.names.contains("libswiftCore.so") && libraries.missing.isEmpty, "\(listing)")
        return libraries
      }

      #expect(try await libraries(of: "InterceptionAlone").heavy == [])
      #expect(try await libraries(of: "MediationAlone").heavy == [])
      // The controls prove that the expectations above can fail.
      #expect(try await libraries(of: "TransportControl").heavy.contains { $0.hasPrefix("libcurl") })
      #expect(try await libraries(of: "FoundationControl").heavy.contains { $0.hasPrefix("libFoundation") })
    }
  }
}
