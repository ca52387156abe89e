import CommandRunning
import Foundation

extension Command.Outcome {
  /// Whether a line begins with an error at a place, in the format of the tool or of a plugin's diagnostic.
  ///
  /// The plugin reports it if the build was planned anew, and the tool if SwiftPM used the previous plan.
  func reports(at place: String, _ message: String) -> Bool {
    lines.contains {
      $0.hasPrefix("\(place): error: \(message)") || $0.hasPrefix("error: \(place): \(message)")
    }
  }
}

/// A small modular app whose modules use the plugin as any consumer would.
///
/// Listings, Mortgage and Help are business modules, MortgageRoutes is a contract, and Formatting is shared.
struct FixturePackage: Sendable {
  let folder: URL
  let scratch: ScratchFolder

  static let listing = """
    import Formatting
    import MortgageRoutes

    public struct Listing {
      public var price: Int
      public var label: String { dollars(price) + " " + mortgageRoute }
    }
    """

  var manifest: URL { file("Package.swift") }

  func file(_ path: String) -> URL { folder.appending(path: path) }

  func write(_ text: String, to path: String) throws { try folder.write(text, to: path) }

  /// Writes the app, with changes to its manifest if `edit` makes any.
  func layOut(_ edit: (inout ManifestText) -> Void = { _ in }) throws {
    var text = ManifestText(checkout: Checkout.folder)
    edit(&text)
    try write(text.description, to: "Package.swift")
    try write(Self.listing, to: "Sources/Modules/Listings/Listing.swift")
    try write("public struct Offer {}\n", to: "Sources/Modules/Mortgage/Offer.swift")
    try write("public struct Article {}\n", to: "Sources/Modules/Help/Article.swift")
    try write(
      "public let mortgageRoute = \"/mortgage\"\n", to: "Sources/Contracts/MortgageRoutes/Routes.swift")
    try write(
      "public func dollars(_ amount: Int) -> String { \"$\\(amount)\" }\n",
      to: "Sources/Platform/Formatting/Dollars.swift")
  }

  /// Returns the stamp of a module's check by the plugin of a target; nil if there is none.
  func stamp(of module: String, by target: String) -> URL? {
    // Other packages share this scratch folder; SwiftPM names a package's outputs after its folder.
    let package = folder.lastPathComponent.lowercased()
    let outputs = scratch.folder.appending(path: "plugins/outputs/\(package)/\(target)")
    let found = FileManager.default.enumerator(at: outputs, includingPropertiesForKeys: nil)
    return found?.compactMap { $0 as? URL }.first { $0.lastPathComponent == "\(module).boundary.swift" }
  }

  func build(_ options: String...) async throws -> Command.Outcome {
    try await scratch.swift("build", package: folder, options)
  }
}
