import CommandRunning
import Foundation
import ImportScanning
import Testing

extension NestedBuilds {
  /// `swift package verify-modules`, as CI runs it.
  @Suite struct VerifyModulesTests {
    private let fixture: FixturePackage
    private let remedy = "open its route by URL, or depend on MortgageRoutes"
    private let planted = "Sources/Modules/Help/Planted.swift"

    init() throws { fixture = try #require(BuildPlace.current).fixture }

    @Test("G6: verify-modules lists every violation of the whole package in one run, and exits 1")
    func violations() async throws {
      var manifest = ManifestText(checkout: Checkout.folder)
      manifest.formattingDependencies = ["Mortgage"]
      try fixture.layOut { $0 = manifest }
      try fixture.write("import Listings\nimport Mortgage\n", to: planted)
      let formatting = "Sources/Platform/Formatting/Planted.swift"
      try fixture.write("@testable import Mortgage\n", to: formatting)
      defer {
        for path in [planted, formatting] { try? FileManager.default.removeItem(at: fixture.file(path)) }
      }
      let outcome = try await fixture.verify()
      #expect(outcome.status == 1, "\(outcome)")
      let line = try #require(manifest.line(of: "\"Mortgage\"", after: "name: \"Formatting\""))
      let help = fixture.file(planted).path
      #expect(
        outcome.lines.filter { $0.hasPrefix(fixture.file("").path) } == [
          "\(help):1:8: error: module 'Help' may not import module 'Listings'; open its route by URL, or "
            + "declare its typed routes in a target ListingsRoutes and depend on that",
          "\(help):2:8: error: module 'Help' may not import module 'Mortgage'; \(remedy)",
          "\(fixture.manifest.path):\(line): error: module 'Listings' may not depend on module 'Mortgage' "
            + "(Listings → Formatting → Mortgage); \(remedy)",
          "\(fixture.file(formatting).path):1:18: error: module 'Formatting' may not import module "
            + "'Mortgage'; \(remedy)",
        ], "\(outcome)")
      #expect(
        outcome.output.contains("error: 4 violations of the boundaries of 3 business modules"), "\(outcome)")
    }

    @Test("G6: verify-modules passes a clean package, and builds none of its modules")
    func clean() async throws {
      try fixture.layOut()
      let outcome = try await fixture.verify()
      #expect(outcome.status == 0, "\(outcome)")
      #expect(
        outcome.output.contains(
          "verify-modules: 3 business modules keep their boundaries: Help, Listings, Mortgage"), "\(outcome)")
      #expect(!outcome.output.contains("Compiling Listings"), "\(outcome)")
      let quiet = try await fixture.verify("", "--quiet")
      #expect(quiet.status == 0 && !quiet.output.contains("keep their boundaries"), "\(quiet)")
    }

    @Test("J4: verify-modules --layers lists what breaks the layers of all modules, and exits 1")
    func layers() async throws {
      try fixture.layOut()
      let planted = [
        "Items/Home.swift": "struct Home { var screen: HomeScreen? }\n",
        "Screens/HomeScreen.swift":
          "// CurlDispatcher\nfinal class HomeScreen { let cache: MemoryStore? = nil }\n",
        "Servces/Loading.swift": "struct Loading {}\n",
      ]
      let help = "Sources/Modules/Help"
      for (place, text) in planted { try fixture.write(text, to: "\(help)/\(place)") }
      defer {
        for folder in ["Items", "Screens", "Servces"] {
          try? FileManager.default.removeItem(at: fixture.file("\(help)/\(folder)"))
        }
      }
      let outcome = try await fixture.verify("", "--layers")
      #expect(outcome.status == 1, "\(outcome)")
      let place = fixture.file(help).path
      let outside = "the file is in no layer; move it into Items, DataCenter, Services or Screens"
      #expect(
        Set(outcome.lines.filter { $0.hasPrefix(fixture.file("").path) }) == [
          "\(place)/Article.swift:1:1: error: module 'Help': \(outside)",
          "\(place)/Items/Home.swift:1:27: error: module 'Help': Items may not use 'HomeScreen' of Screens; move "
            + "what both need down into Items, or this code up into Screens",
          "\(place)/Screens/HomeScreen.swift:2:37: error: module 'Help': a screen may not name the store "
            + "'MemoryStore'; keep the data by a type in DataCenter, and give the screen the items",
          "\(place)/Servces/Loading.swift:1:1: error: module 'Help': 'Servces' is no layer; rename the folder to "
            + "Services",
          "\(fixture.file("Sources/Modules/Listings/Listing.swift").path):1:1: error: module 'Listings': \(outside)",
          "\(fixture.file("Sources/Modules/Mortgage/Offer.swift").path):1:1: error: module 'Mortgage': \(outside)",
        ], "\(outcome)")
      #expect(
        outcome.output.contains("6 violations of the boundaries and layers of 3 business modules"),
        "\(outcome)")
      let unasked = try await fixture.verify()
      #expect(unasked.status == 0, "\(unasked)")
    }

    @Test("verify-modules --hand-over reports loads that are taken in another way")
    func handOver() async throws {
      try fixture.layOut()
      try fixture.write("final class List: APIManagerDelegate {}\n", to: planted)
      defer { try? FileManager.default.removeItem(at: fixture.file(planted)) }
      let outcome = try await fixture.verify("", "--hand-over", "async")
      #expect(outcome.status == 1, "\(outcome)")
      #expect(
        outcome.output.contains(
          "\(fixture.file(planted).path):1:19: error: module 'Help': 'APIManagerDelegate' takes a load by delegate, "
            + "and only async is permitted"), "\(outcome)")
      let permitted = try await fixture.verify("", "--hand-over=delegate")
      #expect(
        permitted.status == 0 && permitted.output.contains("keep their boundaries and hand-over: Help"),
        "\(permitted)")
    }

    @Test("J4: A screen may import none of the library's transports, stores and interceptors")
    func libraryModules() throws {
      let folders = ["Plugins/Interceptors", "Plugins/Stores", "Sources/Transports"]
      for folder in folders {
        let names = try FileManager.default.contentsOfDirectory(
          atPath: Checkout.folder.appending(path: folder).path
        )
        .filter { !$0.hasPrefix(".") }
        try #require(!names.isEmpty)
        // Modules of C are reached through those of Swift.
        for name in names where name.wholeMatch(of: /C[A-Z].*|COpenSSL/) == nil {
          let screen = ModuleSource(path: "S.swift", place: "Screens/S.swift", text: "import \(name)\n".utf8)
          let found = LayerRule(module: "Help").violations(in: [screen], of: "Help")
          #expect(found.count == 1, "\(folder)/\(name) is not known to the rule of layers")
        }
      }
    }

    @Test("Invalid arguments of verify-modules are refused with a reason, and --help explains the command")
    func arguments() async throws {
      try fixture.layOut()
      let nowhere = try await fixture.verify("", "--modules", "Features")
      #expect(nowhere.status == 1, "\(nowhere)")
      #expect(
        nowhere.output.contains("no target is in a folder named Features; name the folder"), "\(nowhere)")
      let wrong = try await fixture.verify("", "--frobnicate")
      #expect(wrong.status == 1, "\(wrong)")
      #expect(wrong.output.contains("unknown argument --frobnicate"), "\(wrong)")
      let unknown = try await fixture.verify("", "--hand-over", "block")
      #expect(
        unknown.status == 1 && unknown.output.contains("there are delegate, async, state"), "\(unknown)")
      let help = try await fixture.verify("", "--help")
      #expect(help.status == 0, "\(help)")
      #expect(help.output.contains("USAGE: swift package verify-modules"), "\(help)")
    }
  }
}
