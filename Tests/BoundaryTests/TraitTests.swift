import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// What the package's traits cost the packages that use it: fetching, and compiling again.
  @Suite struct TraitTests {
    /// An app that uses only the smallest module, EmbeddedSecrets.
    ///
    /// SwiftPM passes the flags of traits to all targets of a package, so this one is compiled again whenever
    /// any other one is.
    private struct App {
      private let temporary: TemporaryFolder
      private let scratch: ScratchFolder

      init(traits: [String]) throws {
        temporary = try TemporaryFolder(prefix: "traits")
        // Of its own, because other packages use the checkout with other traits.
        scratch = ScratchFolder(folder: temporary.url.appending(path: "scratch"))
        try write(
          """
          // swift-tools-version: 6.3
          import PackageDescription
          let package = Package(
            name: "App",
            dependencies: [.package(name: "Switchyard", path: "\(Checkout.folder.path)", traits: \(traits))],
            targets: [
              .target(name: "App", dependencies: [.product(name: "EmbeddedSecrets", package: "Switchyard")])
            ])
          """, to: "Package.swift")
        try write("import EmbeddedSecrets\n", to: "Sources/App/App.swift")
      }

      func write(_ text: String, to path: String) throws { try temporary.url.write(text, to: path) }

      func editManifest() throws {
        let manifest = temporary.url.appending(path: "Package.swift")
        try write(try String(contentsOf: manifest, encoding: .utf8) + "\n// Edited.\n", to: "Package.swift")
      }

      /// Runs a subcommand of `swift`, which must succeed, and returns its output.
      func swift(_ subcommand: String, _ words: String...) async throws -> String {
        let outcome = try await scratch.swift(subcommand, package: temporary.url, words)
        try #require(outcome.status == 0, "\(outcome)")
        return outcome.output
      }
    }

    @Test("An app without traits fetches neither swift-nio nor GRDB")
    func fetching() async throws {
      let graph = try await App(traits: []).swift("package", "show-dependencies", "--format", "flatlist")
      let packages = Set(graph.split(separator: "\n").map(String.init))
      let light = ["swift-http-types", "swift-log", "swift-metrics", "swift-distributed-tracing"]
      #expect(packages.isSuperset(of: light), "\(graph)")
      let heavy = packages.filter { $0.hasPrefix("swift-nio") || $0.lowercased().hasPrefix("grdb") }
      #expect(heavy == [], "\(graph)")
    }

    @Test("An app with everything enabled that is planned again compiles none of the package again")
    func replanning() async throws {
      let app = try App(traits: ["Everything"])
      let first = try await app.swift("build", "--target", "App")
      try #require(first.contains("Compiling EmbeddedSecrets "), "\(first)")

      try app.write("let one = 1\n", to: "Sources/App/One.swift")
      let withFile = try await app.swift("build", "--target", "App")
      #expect(
        withFile.contains("Compiling App ") && !withFile.contains("Compiling EmbeddedSecrets "), "\(withFile)"
      )

      try app.editManifest()
      let edited = try await app.swift("build", "--target", "App")
      #expect(edited.contains("complete!") && !edited.contains("Compiling EmbeddedSecrets "), "\(edited)")

      try app.write("let two = 2\n", to: "Sources/App/Two.swift")
      let withAnother = try await app.swift("build", "--target", "App")
      #expect(
        withAnother.contains("Compiling App ") && !withAnother.contains("Compiling EmbeddedSecrets "),
        "\(withAnother)")
    }
  }
}
