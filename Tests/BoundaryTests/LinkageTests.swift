import Foundation
import Testing

extension NestedBuilds {
  /// What programs link that use one module alone; they are built in Tests/LinkageTest.
  @Suite struct LinkageTests {
    @Test("Interception alone and Mediation alone link neither Foundation nor libcurl nor OpenSSL")
    func alone() async throws {
      let folder = try TemporaryFolder()
      let package = Checkout.folder.appending(path: "Tests/LinkageTest")
      let outcome = try await Command.build(package: package, scratch: folder.url).run()
      try #require(outcome.status == 0, "\(outcome)")

      func libraries(of program: String) async throws -> LinkedLibraries {
        let listing = try await Command("ldd", folder.url.appending(path: "debug/\(program)").path).run()
        try #require(listing.status == 0, "\(listing)")
        let libraries = LinkedLibraries(ldd: listing.output)
        try #require(libraries.names.contains("libswiftCore.so") && libraries.missing.isEmpty, "\(listing)")
        return libraries
      }

      #expect(try await libraries(of: "InterceptionAlone").heavy == [])
      #expect(try await libraries(of: "MediationAlone").heavy == [])
      // The controls: without them nobody knows that the lines above can fail.
      #expect(try await libraries(of: "TransportControl").heavy.contains { $0.hasPrefix("libcurl") })
      #expect(try await libraries(of: "FoundationControl").heavy.contains { $0.hasPrefix("libFoundation") })
    }
  }
}

@Suite struct LinkedLibrariesTests {
  private let output = """
    \tlinux-vdso.so.1 (0x00007ffd5a9f2000)
    \tlibswiftCore.so => /usr/lib/swift/linux/libswiftCore.so (0x00007f7c)
    \tlibcurl.so.4 => /lib/x86_64-linux-gnu/libcurl.so.4 (0x00007f7c)
    \tlibFoundationEssentials.so => not found
    \tlib_FoundationICU.so => /usr/lib/swift/linux/lib_FoundationICU.so (0x00007f7c)
    \t/lib64/ld-linux-x86-64.so.2 (0x00007f7c)
    """

  @Test func `ldd's lines are read by name`() {
    let libraries = LinkedLibraries(ldd: output)
    #expect(libraries.names.first == "linux-vdso.so.1")
    #expect(libraries.names.last == "ld-linux-x86-64.so.2")
    #expect(libraries.missing == ["libFoundationEssentials.so"])
  }

  @Test func `the heavy libraries are told from the rest`() {
    let libraries = LinkedLibraries(ldd: output)
    #expect(libraries.heavy == ["libcurl.so.4", "libFoundationEssentials.so", "lib_FoundationICU.so"])
  }
}
