import CommandRunning
import Foundation
import Testing

extension NestedBuilds {
  /// `swift package new-module` and `swift package route-manifest` in an app.
  @Suite struct NewModuleTests {
    private let write = "--allow-writing-to-package-directory"
    private let place: BuildPlace

    init() throws { place = try #require(BuildPlace.current) }

    @Test(
      "G4: a module made by new-module runs once the app imports and lists it, by two lines, and joins its manifest"
    )
    func newModule() async throws {
      let shop = try place.makeShop()
      let before = try shop.text("Package.swift")

      let dry = try await shop.swift("package", write, "new-module", "Offers", "--dry-run")
      #expect(dry.status == 0 && dry.output.contains("would write Sources/Modules/Offers"), "\(dry)")
      #expect(dry.output.contains("    8:   (\"Offers\", calls: []),"), "\(dry)")
      #expect(try shop.text("Package.swift") == before)
      #expect(!FileManager.default.fileExists(atPath: shop.file("Sources/Modules/Offers").path))

      let made = try await shop.swift("package", write, "new-module", "Offers")
      try #require(made.status == 0, "\(made)")
      #expect(made.lines.contains("registered the module's 3 targets in Package.swift"), "\(made)")
      let place = shop.file("Sources/ShopApp/ShopApp.swift").path
      #expect(
        made.output.contains(
          "add OffersModule() to the modules that the app passes to its Mediator (\(place):5); ShopApp, whose plugin "
            + "checks Offers's boundary, must depend on Offers."), "\(made)")

      let app = "Sources/ShopApp/ShopApp.swift"
      let former = try shop.text(app).split(separator: "\n")
      try shop.list("Offers")
      #expect(try shop.text(app).split(separator: "\n").count { !former.contains($0) } == 2)
      let run = try await shop.swift("run", "shop", "shop://offers")
      #expect(run.status == 0 && run.lines.last == "Offers is here", "\(run)")
      let tests = try await shop.swift("test", "--filter", "OffersTests")
      #expect(
        tests.status == 0 && tests.output.contains("Test run with 1 test in 1 suite passed"), "\(tests)")
      let verified = try await shop.swift("package", "verify-modules")
      #expect(
        verified.output.contains("2 business modules keep their boundaries: Help, Offers"), "\(verified)")

      let again = try await shop.swift("package", write, "new-module", "Offers")
      #expect(again.status == 1 && again.output.contains("'Offers' is taken"), "\(again)")
      try await manifest(of: shop)
      try await boundary(of: shop)
    }

    @Test(
      "A module made by new-module --layers passes its tests and verify-modules --layers, with an API too")
    func layeredModules() async throws {
      let shop = try place.makeShop()
      let former = "[.byName(name: \"\\(name)Routes\"), switchyard(\"Mediation\")]"
      let manifest = try shop.text("Package.swift")
      try #require(manifest.contains(former))
      try shop.write(
        manifest.replacing(
          former,
          with:
            "[.byName(name: \"\\(name)Routes\")] + [\"APIManagers\", \"Mediation\", \"Navigation\"].map(switchyard)"
        ), to: "Package.swift")
      for words in [["Orders", "--layers"], ["Rates", "--layers", "--with-api"]] {
        let made = try await shop.swift("package", words: [write, "new-module"] + words)
        try #require(made.status == 0, "\(made)")
      }
      let verified = try await shop.swift("package", "verify-modules", "--layers", "--hand-over", "async")
      #expect(
        verified.output.contains(
          "3 business modules keep their boundaries, layers and hand-over: Help, Orders, Rates"),
        "\(verified)")
      let tests = try await shop.swift("test", "--filter", "OrdersTests|RatesTests")
      #expect(
        tests.status == 0 && tests.output.contains("Test run with 6 tests in 4 suites passed"), "\(tests)")
    }

    /// The new module does not use the plugin: the app's plugin checks it.
    private func boundary(of shop: ShopPackage) async throws {
      let module = "Sources/Modules/Offers/OffersModule.swift"
      try shop.write("import Help\n" + (try shop.text(module)), to: module)
      let crossed = try await shop.swift("build", "--target", "ShopApp")
      #expect(crossed.status != 0)
      let message = "module 'Offers' may not import module 'Help'"
      #expect(crossed.reports(at: "\(shop.file(module).path):1:8", message), "\(crossed)")
    }

    /// The rest of the test, on the same build.
    private func manifest(of shop: ShopPackage) async throws {
      let written = try await shop.swift("package", write, "route-manifest")
      try #require(written.status == 0, "\(written)")
      #expect(try shop.text("Manifest/routes.md").contains("| `OffersRoute`"))
      #expect(try shop.text("Manifest/Info.plist").contains("<string>shop</string>"))
      // This needs no permission to write.
      let fresh = try await shop.swift("package", "route-manifest", "--check")
      #expect(fresh.status == 0 && fresh.output.contains("4 documents are up to date"), "\(fresh)")

      let route = "Sources/Routes/OffersRoutes/OffersRoute.swift"
      try shop.write(
        try shop.text(route).replacing("shop://offers", with: "shop://offers/today"), to: route)
      let stale = try await shop.swift("package", "route-manifest", "--check")
      #expect(stale.status == 1, "\(stale)")
      #expect(stale.output.contains("Manifest/routes.json: error: it is out of date"), "\(stale)")
      #expect(stale.output.contains("\"shop://offers/today\""), "\(stale)")

      let wrong = try await shop.swift("package", "route-manifest", "--product", "shopp")
      #expect(wrong.status == 1, "\(wrong)")
      let drawing = try await shop.swift("package", "route-manifest", "--format", "svg")
      #expect(drawing.output.contains(">OffersRoute</text>"), "\(drawing)")
    }

    @Test("An invalid new-module command is refused with a reason, and nothing is written")
    func refusals() async throws {
      let shop = try place.makeShop()
      try shop.write("// Existing work.\n", to: "Sources/Modules/Orders/Orders.swift")
      let before = try shop.text("Package.swift")
      let refusals: [(words: [String], reason: String)] = [
        (["Network"], "a module of Swift or the system"), (["help"], "is not a module name"),
        (["Help"], "is taken"), ([], "give one name"), (["A", "B"], "give one name"),
        (["A", "--scheme", "https"], "is not an app's URL scheme"),
        (["A", "--with-test"], "the option --with-test is unknown"),
        (["Orders"], "Sources/Modules/Orders already exists"),
      ]
      for (words, reason) in refusals {
        let outcome = try await shop.swift("package", words: [write, "new-module"] + words)
        #expect(outcome.status == 1 && outcome.output.contains(reason), "\(outcome)")
      }
      #expect(try shop.text("Package.swift") == before)
      #expect(!FileManager.default.fileExists(atPath: shop.file("Sources/Routes/OrdersRoutes").path))
      let help = try await shop.swift("package", "new-module", "--help")
      #expect(help.status == 0 && help.output.contains("USAGE: swift package"), "\(help)")
    }
  }
}
