import ImportScanning
import ModuleScaffolding
import Testing

@Suite struct NewModulePlanTests {
  private let name: ModuleName

  init() throws { name = try ModuleName("HotOffers", taken: []) }

  private func plan(_ manifest: String, targets: [KnownTarget]) -> NewModulePlan {
    NewModulePlan(
      name, scheme: "estate", layout: PackageLayout(of: targets), targets: targets, manifest: manifest,
      library: "Switchyard")
  }

  private let block = """
    package.targets += [
      .target(
        name: "HotOffersRoutes", dependencies: [.product(name: "Mediation", package: "Switchyard")],
        path: "Sources/Routes/HotOffersRoutes"),
      .target(
        name: "HotOffers",
        dependencies: ["HotOffersRoutes", .product(name: "Mediation", package: "Switchyard")],
        path: "Sources/Modules/HotOffers",
        plugins: [.plugin(name: "ModuleBoundary", package: "Switchyard")]),
      .testTarget(
        name: "HotOffersTests",
        dependencies: [
          "HotOffers",
          "HotOffersRoutes",
          .product(name: "Mediation", package: "Switchyard"),
          .product(name: "MediationTesting", package: "Switchyard"),
        ],
        path: "Tests/HotOffersTests"),
    ]
    """

  @Test("A package without modules gets the default folders and one statement after its declaration")
  func noModules() {
    let manifest = """
      // let package = Package(name: "Not this one")
      import PackageDescription
      let name = "a \\(")") (" /* ( */  // )
      let package = Package(name: name, targets: [.target(name: "App")])
      for target in package.targets {}

      """
    let plan = plan(manifest, targets: [KnownTarget(name: "App", path: "Sources/App")])
    #expect(
      plan.files.map(\.path) == [
        "Sources/Routes/HotOffersRoutes/HotOffersRoute.swift",
        "Sources/Modules/HotOffers/HotOffersModule.swift",
        "Tests/HotOffersTests/HotOffersModuleTests.swift",
      ])
    #expect(plan.url == "estate://hot-offers")
    #expect(
      plan.manifest
        == manifest.replacing("[.target(name: \"App\")])\n", with: "[.target(name: \"App\")])\n\n\(block)\n"))
  }

  @Test("A module with an API gets the API, its reformer, tests for both, and the products that they need")
  func withAPI() throws {
    let targets = [KnownTarget(name: "App", path: "Sources/App")]
    let plan = NewModulePlan(
      name, scheme: "estate", layout: PackageLayout(of: targets), targets: targets,
      manifest: "let package = Package(name: \"App\")\n", library: "Switchyard", withAPI: true)
    #expect(
      plan.files.map(\.path) == [
        "Sources/Routes/HotOffersRoutes/HotOffersRoute.swift",
        "Sources/Modules/HotOffers/HotOffersModule.swift",
        "Sources/Modules/HotOffers/Services/HotOffersAPI.swift",
        "Sources/Modules/HotOffers/Services/HotOffersReformer.swift",
        "Tests/HotOffersTests/HotOffersModuleTests.swift",
        "Tests/HotOffersTests/HotOffersAPITests.swift",
        "Tests/HotOffersTests/HotOffersReformerTests.swift",
      ])
    #expect(plan.expression == "HotOffersModule(client: client)")
    #expect(plan.undeclaredProducts == [] && plan.undeclaredTestProducts == [])
    let manifest = try #require(plan.manifest)
    #expect(manifest.ranges(of: "\"APIManagers\", package: \"Switchyard\"").count == 2, "\(manifest)")
    #expect(manifest.ranges(of: "\"SwitchyardTesting\", package: \"Switchyard\"").count == 1, "\(manifest)")
    #expect(manifest.ranges(of: "\"MediationTesting\", package: \"Switchyard\"").count == 1, "\(manifest)")
  }

  @Test(
    "A module in layers gets a type in each of them and passes the rule of layers", arguments: [false, true])
  func withLayers(withAPI: Bool) throws {
    let targets = [KnownTarget(name: "App", path: "Sources/App")]
    let plan = NewModulePlan(
      name, scheme: "estate", layout: PackageLayout(of: targets), targets: targets,
      manifest: "let package = Package(name: \"App\")\n", library: "Switchyard", withAPI: withAPI,
      withLayers: true)
    let folder = "Sources/Modules/HotOffers/"
    let sources = plan.files.filter { $0.path.hasPrefix(folder) }.map {
      ModuleSource(path: $0.path, place: String($0.path.dropFirst(folder.count)), text: $0.text.utf8)
    }
    let api = ["Services/HotOffersAPI.swift", "Services/HotOffersReformer.swift"]
    #expect(
      sources.map(\.place) == [
        "HotOffersModule.swift", "Items/HotOffersItem.swift", "DataCenter/HotOffersCenter.swift",
        "Services/HotOffersService.swift", "Screens/HotOffersScreen.swift",
      ] + (withAPI ? api : []))
    #expect(LayerRule(module: "HotOffers").violations(in: sources, of: folder) == [])
    #expect(plan.expression == (withAPI ? "HotOffersModule(client: client)" : "HotOffersModule()"))
    let manifest = try #require(plan.manifest)
    #expect(manifest.ranges(of: "\"Navigation\", package: \"Switchyard\"").count == 1, "\(manifest)")
    #expect(
      manifest.ranges(of: "\"APIManagers\", package: \"Switchyard\"").count == (withAPI ? 2 : 0),
      "\(manifest)")
  }

  @Test("A row that creates the module's target leaves its products to the developer")
  func rowWithAPI() {
    let plan = NewModulePlan(
      name, scheme: "estate", layout: PackageLayout(of: tabularTargets), targets: tabularTargets,
      manifest: tabular, library: "Switchyard", withAPI: true)
    #expect(plan.undeclaredProducts == ["APIManagers"])
    #expect(plan.undeclaredTestProducts == [])
  }

  @Test(
    "A second module is added to the statement of the first",
    arguments: [("\n  .target(name: \"One\"),", ""), ("\n  .target(name: \"One\")", ","), ("", "")])
  func joining(elements: String, separator: String) throws {
    let head = "let p: Package = Package(name: \"App\")\n\np.targets += [" + elements
    let added = try #require(plan(head + " // the last\n]\nfoo()\n", targets: []).manifest)
    #expect(added.hasPrefix(head + separator + "\n  .target(\n    name: \"HotOffersRoutes\""), "\(added)")
    #expect(added.hasSuffix("    path: \"Tests/HotOffersTests\"), // the last\n]\nfoo()\n"), "\(added)")
    #expect(added.ranges(of: "targets +=").count == 1)
  }

  private let tabular = """
    let modules: [(name: String, calls: [String])] = [
      ("Listings", calls: ["Mortgage"]),
      ("Mortgage", calls: []),
    ]
    let package = Package(
      name: "Estate",
      targets: modules.flatMap { [.contract(of: $0.name), .businessModule($0.name, calls: $0.calls)] }
    )

    """
  private let tabularTargets = [
    KnownTarget(name: "Listings", path: "Sources/Features/Modules/Listings"),
    KnownTarget(name: "Mortgage", path: "Sources/Features/Modules/Mortgage"),
    KnownTarget(name: "ListingsRoutes", path: "Sources/Contracts/ListingsRoutes"),
    KnownTarget(name: "MortgageRoutes", path: "Sources/Contracts/MortgageRoutes"),
    KnownTarget(name: "AppTests", path: "Checks/AppTests", isTest: true),
  ]

  @Test("A table of modules gets a row, and only targets that rows do not create are declared")
  func table() throws {
    let plan = plan(tabular, targets: tabularTargets)
    #expect(
      plan.files.map(\.path) == [
        "Sources/Contracts/HotOffersRoutes/HotOffersRoute.swift",
        "Sources/Features/Modules/HotOffers/HotOffersModule.swift",
        "Checks/HotOffersTests/HotOffersModuleTests.swift",
      ])
    let added = try #require(plan.manifest)
    #expect(added.contains("  (\"Mortgage\", calls: []),\n  (\"HotOffers\", calls: []),\n]\n"))
    #expect(
      added.hasSuffix(
        """
        )

        package.targets += [
          .testTarget(
            name: "HotOffersTests",
            dependencies: [
              "HotOffers",
              "HotOffersRoutes",
              .product(name: "Mediation", package: "Switchyard"),
              .product(name: "MediationTesting", package: "Switchyard"),
            ],
            path: "Checks/HotOffersTests")
        ]

        """), "\(added)")
  }

  @Test(
    "A target that is only referred to was created by a row",
    arguments: [#"["AppRoutes", "MortgageRoutes"]"#, #"[.byName(name: "MortgageRoutes")]"#])
  func references(dependencies: String) throws {
    let referring = tabular.replacing(
      "  targets:",
      with: "  dependencies: [],\n  targets: [.target(name: \"App\", dependencies: \(dependencies))] +")
    let added = try #require(plan(referring, targets: tabularTargets).manifest)
    #expect(!added.contains("name: \"HotOffersRoutes\""), "\(added)")
    #expect(added.contains("  (\"HotOffers\", calls: []),\n"))
  }

  @Test("If rows create all targets, the manifest gets only a row")
  func completeRows() {
    let targets =
      tabularTargets + [KnownTarget(name: "MortgageTests", path: "Checks/MortgageTests", isTest: true)]
    #expect(
      plan(tabular, targets: targets).manifest
        == tabular.replacing("calls: []),\n", with: "calls: []),\n  (\"HotOffers\", calls: []),\n"))
    #expect(!plan(tabular, targets: targets).isGuardedAlone)
  }

  @Test("Calls with only a name count as rows, and declarations of contracts do not")
  func callRows() throws {
    let manifest = """
      let package = Package(
        name: "App",
        targets: [
          .businessModule("Listings", dependencies: ["MortgageRoutes"]),
          .businessModule("Mortgage"),
          .target(name: "MortgageRoutes", path: "Sources/Contracts/MortgageRoutes"),
        ]
      )

      """
    let added = try #require(plan(manifest, targets: tabularTargets).manifest)
    #expect(added.contains("    .businessModule(\"Mortgage\"),\n    .businessModule(\"HotOffers\"),\n"))
    #expect(added.contains("path: \"Sources/Contracts/HotOffersRoutes\"),\n  .testTarget("))
    #expect(added.ranges(of: "name: \"HotOffers\",").isEmpty)
  }

  private func guardedApp(_ declaration: String = ".target(name: \"App\"") -> String {
    """
    // .target(name: "Remark", plugins: [.plugin(name: "ModuleBoundary", package: "Switchyard")])
    let package = Package(
      name: "App",
      dependencies: [.package(url: "https://example.com/Switchyard", from: "1.0.0")],
      targets: [
        .target(name: "Kit", dependencies: ["ModuleBoundary"]),
        \(declaration), dependencies: [.product(name: "Mediation", package: "Switchyard")],
          plugins: [.plugin(name: "ModuleBoundary", package: "Switchyard")]),
      ]
    )

    """
  }
  private let app = KnownTarget(name: "App", path: "Sources/App", dependencies: ["Help", "HelpRoutes"])
  private let help = KnownTarget(name: "Help", path: "Sources/Modules/Help")

  @Test(
    "A module does not list the plugin if the app's target does",
    arguments: [".target(name: \"App\"", "Target.executableTarget(\n      name: \"App\""], [true, false])
  func guardedByApp(declaration: String, isFirst: Bool) throws {
    let plan = plan(guardedApp(declaration), targets: isFirst ? [app] : [app, help])
    #expect(plan.guardingApp == "App")
    #expect(!plan.isGuardedAlone && !plan.declarations.contains("ModuleBoundary"))
    let added = try #require(plan.manifest)
    #expect(added.contains("    path: \"Sources/Modules/HotOffers\"),\n  .testTarget("), "\(added)")
    #expect(
      added.ranges(of: "\"ModuleBoundary\"").count == guardedApp().ranges(of: "\"ModuleBoundary\"").count)
  }

  @Test("An app that does not depend on its modules yet is found if only it lists the plugin")
  func earlyApp() {
    var early = app
    early.dependencies = []
    #expect(plan(guardedApp(), targets: [early, help]).guardingApp == "App")
    let manifest = guardedApp() + "package.targets += [\n" + guardedApp(".target(name: \"Extra\"") + "]"
    #expect(plan(manifest, targets: [early, help]).guardingApp == nil)
  }

  @Test("A target elsewhere without modules, a test and a module are not taken for the app")
  func noApp() {
    var apart = app
    apart.dependencies = ["HelpRoutes"]
    apart.path = "Sources/Features/App"
    var test = app
    test.isTest = true
    var module = app
    module.path = "Sources/Modules/App"
    for target in [apart, test, module] {
      let plan = plan(guardedApp(), targets: [target, help])
      #expect(plan.guardingApp == nil)
      #expect(plan.isGuardedAlone && plan.declarations.contains("ModuleBoundary"), "\(target)")
    }
  }

  @Test("If several targets list the plugin and there are no modules yet, no app is found")
  func severalPlugins() {
    let manifest = guardedApp() + "package.targets += [\n" + guardedApp(".target(name: \"Extra\"") + "]"
    #expect(plan(manifest, targets: [app]).guardingApp == nil)
    #expect(plan(manifest, targets: [app, help]).guardingApp == "App")
  }

  @Test("A module in a folder of another name lists the plugin itself")
  func otherFolder() {
    let targets = [app, KnownTarget(name: "Help", path: "Sources/Features/Help")]
    let plan = NewModulePlan(
      name, scheme: "estate", layout: PackageLayout(of: targets, folder: "Features"), targets: targets,
      manifest: guardedApp(), library: "Switchyard")
    #expect(plan.guardingApp == nil && plan.isGuardedAlone)
  }

  @Test(
    "A manifest that cannot be extended is left unchanged, and the declarations are returned",
    arguments: [
      "", "let package = makePackage()", "let package = Package(name: \"Open\"",
      "/* let package = Package() */",
    ])
  func unsafe(manifest: String) {
    let plan = plan(manifest, targets: [])
    #expect(plan.manifest == nil)
    #expect(block.contains(plan.declarations))
  }
}
