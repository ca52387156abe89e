import CommandRunning
import Foundation

/// A small app with one business module, to which the plugin NewModule adds another, and whose routes
/// RouteManifest describes.
struct ShopPackage: Sendable {
  private let temporary: TemporaryFolder
  private let scratch: ScratchFolder

  init(scratch: ScratchFolder) throws {
    self.scratch = scratch
    temporary = try TemporaryFolder(prefix: "shop")
    try write(Self.manifest, to: "Package.swift")
    try write(
      """
      public import Mediation
      public struct HelpRoute: ParameterlessRoute {
        public static let pattern: RoutePattern = "shop://help"
        public static let exposure = Exposure.link([.scheme("shop")])
        public init() {}
      }
      """, to: "Sources/Routes/HelpRoutes/HelpRoute.swift")
    try write(
      """
      import HelpRoutes
      public import Mediation
      public struct HelpModule: BusinessModule {
        public let name = "Help"
        public init() {}
        public func declare(into table: inout RouteTable) { table.action(HelpRoute.self) { _, _ in } }
      }
      """, to: "Sources/Modules/Help/HelpModule.swift")
    try write(
      """
      import Help
      public import Mediation

      public func makeMediator() throws -> Mediator {
        try Mediator(schemes: ["shop"], modules: [HelpModule()])
      }
      """, to: "Sources/ShopApp/ShopApp.swift")
    try write(
      """
      import Mediation
      import ShopApp
      print(try await makeMediator().open(CommandLine.arguments[1], returning: String.self))
      """, to: "Sources/shop/main.swift")
    try write(
      """
      import Foundation
      import Mediation
      import RouteManifests
      import ShopApp
      let manifest = RouteManifest(app: "Shop", mediator: try makeMediator())
      exit(ManifestProgram(manifest).run(CommandLine.arguments.dropFirst()))
      """, to: "Sources/shop-manifest/main.swift")
  }

  func file(_ path: String) -> URL { temporary.url.appending(path: path) }

  func text(_ path: String) throws -> String { try String(contentsOf: file(path), encoding: .utf8) }

  func write(_ text: String, to path: String) throws { try temporary.url.write(text, to: path) }

  /// Adds the business module Offers to the manifest and to the app, without a plugin's help.
  func addOffers() throws {
    let help = "(\"Help\", calls: []),"
    try write(
      try text("Package.swift").replacing(help, with: help + "\n  (\"Offers\", calls: []),"),
      to: "Package.swift")
    for path in ["Sources/Routes/HelpRoutes/HelpRoute.swift", "Sources/Modules/Help/HelpModule.swift"] {
      try write(
        try text(path).replacing("Help", with: "Offers").replacing("help", with: "offers"),
        to: path.replacing("Help", with: "Offers"))
    }
    try list("Offers")
  }

  /// Adds a module to the app's list, which is left to the developer.
  func list(_ module: String) throws {
    try write(
      try text("Sources/ShopApp/ShopApp.swift")
        .replacing("import Help\n", with: "import Help\nimport \(module)\n")
        .replacing("HelpModule()", with: "HelpModule(), \(module)Module()"),
      to: "Sources/ShopApp/ShopApp.swift")
  }

  /// Runs `swift` with a subcommand on the package.
  func swift(_ subcommand: String, _ words: String...) async throws -> Command.Outcome {
    try await swift(subcommand, words: words)
  }

  func swift(_ subcommand: String, words: [String]) async throws -> Command.Outcome {
    try await scratch.swift(subcommand, package: file(""), words)
  }

  private static let manifest = """
    // swift-tools-version: 6.3
    import PackageDescription

    func switchyard(_ product: String) -> Target.Dependency { .product(name: product, package: "Switchyard") }

    let modules: [(name: String, calls: [String])] = [
      ("Help", calls: []),
    ]

    let package = Package(
      name: "Shop",
      dependencies: [.package(name: "Switchyard", path: "\(Checkout.folder.path)")],
      targets: [
        .target(
          name: "ShopApp", dependencies: modules.map { .byName(name: $0.name) } + [switchyard("Mediation")],
          plugins: [.plugin(name: "ModuleBoundary", package: "Switchyard")]),
        .executableTarget(name: "shop", dependencies: ["ShopApp", switchyard("Mediation")]),
        .executableTarget(
          name: "shop-manifest",
          dependencies: ["ShopApp", switchyard("Mediation"), switchyard("RouteManifests")]),
      ] + modules.flatMap { [.contract(of: $0.name), .businessModule($0.name)] }
    )

    extension Target {
      static func contract(of module: String) -> Target {
        .target(
          name: "\\(module)Routes", dependencies: [switchyard("Mediation")],
          path: "Sources/Routes/\\(module)Routes")
      }

      static func businessModule(_ name: String) -> Target {
        .target(
          name: name, dependencies: [.byName(name: "\\(name)Routes"), switchyard("Mediation")],
          path: "Sources/Modules/\\(name)")
      }
    }

    """
}
