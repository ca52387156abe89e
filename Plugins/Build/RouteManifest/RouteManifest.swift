import Foundation
import PackagePlugin

/// Builds the program that describes an app's routes, and runs it with the given arguments.
///
/// The program is an executable target that depends on the product RouteManifests, and does everything except
/// building.
@main
struct RouteManifest: CommandPlugin {
  static let help = """
    OVERVIEW: Writes the routes of an app as documents, or checks the documents.

    USAGE: swift package --allow-writing-to-package-directory route-manifest [--product NAME]
             [--output FOLDER]
           swift package route-manifest --check [--product NAME] [--output FOLDER]
           swift package route-manifest --format FORMAT [--product NAME]

    OPTIONS:
      --product NAME   the executable that describes the routes; default: the only one whose target depends
                       on the product RouteManifests
      --help           shows this help; with --product also that of the program

    All other arguments are passed to the program, which runs in the package's folder. --check exits 1 if a
    file differs.
    """

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var extractor = ArgumentExtractor(arguments)
    let asked = extractor.extractOption(named: "product").last
    var words = extractor.remainingArguments
    if words.contains("--help") || words.contains("-h") {
      print(Self.help)
      if asked == nil { return }
      words = ["--help"]
    }
    let product = try asked ?? describingProduct(of: context.package)
    let program = try build(product)
    let process = Process()
    process.executableURL = program
    process.arguments = words
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw ManifestFailure("\(product) exited with \(process.terminationStatus); see above")
    }
  }

  private func describingProduct(of package: Package) throws -> String {
    let describing = package.products(ofType: ExecutableProduct.self).filter { product in
      product.mainTarget.dependencies.contains { dependency in
        switch dependency {
        case .product(let product): product.name == "RouteManifests"
        case .target(let target): target.name == "RouteManifests"
        @unknown default: false
        }
      }
    }
    .map(\.name).sorted()
    guard let only = describing.first, describing.count == 1 else {
      throw ManifestFailure(
        describing.isEmpty
          ? "no executable target depends on the product RouteManifests; add one (its documentation shows how), or "
            + "name the program with --product"
          : "several programs describe routes: \(describing.joined(separator: ", ")); choose with --product")
    }
    return only
  }

  private func build(_ product: String) throws -> URL {
    let result = try packageManager.build(.product(product), parameters: .init(configuration: .debug))
    guard result.succeeded else {
      throw ManifestFailure("\(product) does not build:\n\(result.logText)")
    }
    let programs = result.builtArtifacts.filter { $0.kind == .executable }.map(\.url)
    guard let program = programs.first(where: { $0.deletingPathExtension().lastPathComponent == product })
    else {
      throw ManifestFailure("the build of \(product) produced no program of that name")
    }
    return program
  }
}

/// The reason that the command failed.
struct ManifestFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
