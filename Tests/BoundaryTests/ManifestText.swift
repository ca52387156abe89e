import Foundation

/// The manifest of the fixture package, with the parts that tests change.
struct ManifestText: CustomStringConvertible {
  var checkout: URL
  var listingsDependencies = ["Formatting", "MortgageRoutes"]
  var formattingDependencies: [String] = []
  /// The business modules besides Listings.
  var others = ["Mortgage", "Help"]
  var contractFolder = "Sources/Contracts"
  /// Whether only the app's target uses the plugin, rather than the modules.
  var isGuardedByApp = false
  /// The dependencies of Offers, a module that uses the plugin and is next to Orders in a folder of another
  /// name; nil if there is no such module.
  var offersDependencies: [String]?

  /// Whether there is a business module Rates that depends on a C module.
  var hasModuleWithC = false

  var description: String {
    let app =
      isGuardedByApp
      ? """
          .target(
            name: "App", dependencies: ["Listings", "Theme"], path: "Sources/App", plugins: [\(Self.plugin)]),
          .target(name: "Theme", path: "Sources/Theme"),

      """ : ""
    let features =
      offersDependencies.map { dependencies in
        """
            .target(
              name: "Offers",
              dependencies: [
        \(Self.list(dependencies))
              ],
              path: "Sources/Features/Offers", plugins: [\(Self.plugin)]),
            .target(name: "Orders", path: "Sources/Features/Orders"),

        """
      } ?? ""
    let rates =
      hasModuleWithC
      ? """
          .businessModule("Rates", dependencies: ["CRates"]),
          .target(name: "CRates", path: "Sources/Platform/CRates"),

      """ : ""
    let others = others.map { "    .businessModule(\"\($0)\"),\n" }.joined() + rates
    return """
      // swift-tools-version: 6.3
      import PackageDescription

      let package = Package(
        name: "Fixture",
        products: [.library(name: "Listings", targets: ["Listings"])],
        dependencies: [.package(name: "Switchyard", path: "\(checkout.path)")],
        targets: [
          .businessModule(
            "Listings",
            dependencies: [
      \(Self.list(listingsDependencies))
            ]),
      \(others)\(app)\(features)
          .target(name: "MortgageRoutes", path: "\(contractFolder)/MortgageRoutes"),
          .target(
            name: "Formatting",
            dependencies: [
      \(Self.list(formattingDependencies))
            ],
            path: "Sources/Platform/Formatting"),
        ],
        swiftLanguageModes: [.v6]
      )

      extension Target {
        static func businessModule(_ name: String, dependencies: [Target.Dependency] = []) -> Target {
          .target(
            name: name, dependencies: dependencies, path: "Sources/Modules/\\(name)",
            plugins: [\(isGuardedByApp ? "" : Self.plugin)])
        }
      }
      """
  }

  private static let plugin = ".plugin(name: \"ModuleBoundary\", package: \"Switchyard\")"

  /// Returns the number of the first line, starting at 1, that contains a text, at or after the line that
  /// contains another.
  func line(of piece: String, after start: String) -> Int? {
    let lines = description.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.firstIndex(where: { $0.contains(start) }) else { return nil }
    return lines[first...].firstIndex { $0.contains(piece) }.map { $0 + 1 }
  }

  private static func list(_ names: [String]) -> String {
    names.map { "          \"\($0)\"," }.joined(separator: "\n")
  }
}
