import CommandRunning
import Foundation

extension FixturePackage {
  /// The products that two of the packages depend on, which a test can change.
  struct Products {
    var ofListings = ["MortgageRoutes"]
    var ofFormatting: [String] = []
  }

  /// The folder of the modules' packages; the package that they share is next to it.
  static let listingsPackage = "Packages/Modules/Listings"

  /// Writes the same app with separate packages for Listings, Mortgage and Formatting.
  func layOutPackages(_ edit: (inout Products) -> Void = { _ in }) throws {
    var products = Products()
    edit(&products)
    try write(
      Self.packageManifest(
        "App",
        packages: [".package(path: \"Modules/Listings\")", ".package(path: \"Modules/Mortgage\")"],
        targets: """
          .target(name: "App", dependencies: [\(Self.products(["Listings", "Mortgage"]))])
          """), to: "Packages/Package.swift")
    try write("import Listings\nimport Mortgage\n", to: "Packages/Sources/App/App.swift")

    try write(
      Self.packageManifest(
        "Listings",
        packages: [".package(path: \"../Mortgage\")", ".package(path: \"../../Platform\")"],
        targets: """
          .target(
            name: "Listings",
            dependencies: [
              .product(name: "Formatting", package: "Platform"),
              \(Self.products(products.ofListings))
            ],
            plugins: [.plugin(name: "ModuleBoundary", package: "Switchyard")])
          """), to: "Packages/Modules/Listings/Package.swift")
    try write(Self.listing, to: "Packages/Modules/Listings/Sources/Listings/Listing.swift")

    try write(
      Self.packageManifest(
        "Mortgage", packages: [],
        targets: """
          .target(name: "MortgageRoutes"), .target(name: "Mortgage", dependencies: ["MortgageRoutes"])
          """, "MortgageRoutes"), to: "Packages/Modules/Mortgage/Package.swift")
    try write(
      "public struct Offer {}\n", to: "Packages/Modules/Mortgage/Sources/Mortgage/Offer.swift")
    try write(
      "public let mortgageRoute = \"/mortgage\"\n",
      to: "Packages/Modules/Mortgage/Sources/MortgageRoutes/Routes.swift")

    let packages =
      products.ofFormatting.isEmpty ? [] : [".package(path: \"../Modules/Mortgage\")"]
    try write(
      Self.packageManifest(
        "Formatting", packages: packages,
        targets: """
          .target(
            name: "Formatting",
            dependencies: [\(Self.products(products.ofFormatting))])
          """), to: "Packages/Platform/Package.swift")
    try write(
      "public func dollars(_ amount: Int) -> String { \"$\\(amount)\" }\n",
      to: "Packages/Platform/Sources/Formatting/Dollars.swift")
  }

  func buildListings() async throws -> Command.Outcome {
    try await scratch.swift("build", package: file(Self.listingsPackage))
  }

  func verify(_ path: String = "", _ options: String...) async throws -> Command.Outcome {
    let package = path.isEmpty ? folder : file(path)
    return try await scratch.swift("package", package: package, ["verify-modules"] + options)
  }

  private static func products(_ names: [String]) -> String {
    names.map { name in
      let package = name.hasSuffix("Routes") ? String(name.dropLast("Routes".count)) : name
      return ".product(name: \"\(name)\", package: \"\(package)\")"
    }
    .joined(separator: ",\n    ")
  }

  private static func packageManifest(
    _ name: String, packages: [String], targets: String, _ moreProducts: String...
  ) -> String {
    let packages =
      [".package(name: \"Switchyard\", path: \"\(Checkout.folder.path)\")"] + packages
    let products = ([name] + moreProducts).map { ".library(name: \"\($0)\", targets: [\"\($0)\"])" }
    return """
      // swift-tools-version: 6.3
      import PackageDescription

      let package = Package(
        name: "\(name)",
        products: [\(products.joined(separator: ", "))],
        dependencies: [
          \(packages.joined(separator: ",\n    "))
        ],
        targets: [
          \(targets.replacing("\n", with: "\n    "))
        ]
      )
      """
  }
}
