import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// The plugin on a module in its own package, where the other modules are products of other packages.
  @Suite struct ModulePackagesTests {
    private let fixture: FixturePackage
    private let remedy = "open its route by URL, or depend on MortgageRoutes"

    init() throws { fixture = try #require(BuildPlace.current).fixture }

    private func line(of piece: String, in path: String) throws -> Int {
      let text = try String(contentsOf: fixture.file(path), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return try #require(lines.firstIndex { $0.contains(piece) }) + 1
    }

    @Test("F1: a module in a package of its own compiles with another module's contract alone")
    func clean() async throws {
      try fixture.layOutPackages()
      let outcome = try await fixture.buildListings()
      #expect(outcome.status == 0, "\(outcome)")
    }

    @Test("G6: an import of a module in another package fails the build with file, line and remedy")
    func plantedImport() async throws {
      try fixture.layOutPackages()
      let source = fixture.file("\(FixturePackage.listingsPackage)/Sources/Listings/Planted.swift")
      try fixture.write(
        "\nimport Mortgage\n", to: "\(FixturePackage.listingsPackage)/Sources/Listings/Planted.swift")
      defer { try? FileManager.default.removeItem(at: source) }
      let outcome = try await fixture.buildListings()
      #expect(outcome.status != 0)
      let message = "module 'Listings' may not import module 'Mortgage'; \(remedy)"
      #expect(outcome.reports(at: "\(source.path):2:8", message), "\(outcome)")
    }

    @Test("G6: a declared product of another module's package fails the build at its line in the manifest")
    func declaredProduct() async throws {
      try fixture.layOutPackages { $0.ofListings.append("Mortgage") }
      let outcome = try await fixture.buildListings()
      #expect(outcome.status != 0)
      let manifest = "\(FixturePackage.listingsPackage)/Package.swift"
      let line = try line(of: "(name: \"Mortgage\"", in: manifest)
      let expected =
        "error: \(fixture.file(manifest).path):\(line): module 'Listings' may not depend on module "
        + "'Mortgage'; \(remedy)"
      #expect(outcome.lines.contains(expected), "\(outcome)")
    }

    @Test("G6: a module's package reached through a third package fails the build and names the way")
    func transitiveProduct() async throws {
      try fixture.layOutPackages { $0.ofFormatting.append("Mortgage") }
      let outcome = try await fixture.buildListings()
      #expect(outcome.status != 0)
      let line = try line(of: "(name: \"Mortgage\"", in: "Packages/Platform/Package.swift")
      let expected =
        "error: \(fixture.file("Packages/Platform/Package.swift").path):\(line): module 'Listings' may not "
        + "depend on module 'Mortgage' (Listings → Formatting → Mortgage); \(remedy)"
      #expect(outcome.lines.contains(expected), "\(outcome)")
    }

    @Test("G6: verify-modules finds the modules that have packages of their own")
    func verified() async throws {
      try fixture.layOutPackages()
      let clean = try await fixture.verify("Packages")
      #expect(clean.status == 0, "\(clean)")
      #expect(
        clean.output.contains("verify-modules: 2 business modules keep their boundaries: Listings, Mortgage"),
        "\(clean)")

      try fixture.layOutPackages { $0.ofFormatting.append("Mortgage") }
      let faulty = try await fixture.verify("Packages")
      #expect(faulty.status == 1, "\(faulty)")
      #expect(faulty.output.contains("(Listings → Formatting → Mortgage); \(remedy)"), "\(faulty)")
    }
  }
}
