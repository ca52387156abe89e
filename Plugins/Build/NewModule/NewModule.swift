import Foundation
import PackagePlugin

/// Creates a business module: its target, its contract and its tests, laid out like the package's other
/// modules and registered in its manifest.
///
/// It uses no tool, so it also runs in a package that fails to build.
@main
struct NewModule: CommandPlugin {
  static let help = """
    OVERVIEW: Creates a business module with its contract and its tests, and registers it in Package.swift.

    USAGE: swift package new-module NAME [--with-api] [--scheme SCHEME] [--modules FOLDER] [--dry-run]

    On macOS SwiftPM lets the command write only with --allow-writing-to-package-directory before new-module.

    The targets NAME, NAMERoutes and NAMETests are laid out like those of the existing modules, or
    otherwise in Sources/Modules, Sources/Routes and Tests. The only remaining step is one line in the
    app's list of modules; the command prints where.

    If the app's target uses the plugin ModuleBoundary, which then checks all modules, the new module does
    not use it. That target must be declared with a literal name, and must depend on modules in a folder
    named Modules or be the only one that uses the plugin. Otherwise the new module uses the plugin itself,
    unless a row such as .businessModule("Help") creates the module.

    ARGUMENTS:
      NAME              the name of the module, such as Offers

    OPTIONS:
      --with-api        creates a module that takes the app's client and loads an API: a route, the API, its
                        reformer, and tests for the three
      --scheme SCHEME   the scheme of the module's first URL; default: the one used by the other modules'
                        routes, or else the package's name
      --modules FOLDER  the name of the folder that holds business modules; default: Modules
      --dry-run         writes nothing, and shows what would be written
      --help            shows this help

    Existing files are never overwritten. Exit codes: 0 done, 1 nothing was done, with the reason.
    """

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var extractor = ArgumentExtractor(arguments)
    if extractor.extractFlag(named: "help") > 0 || extractor.remainingArguments.contains("-h") {
      print(Self.help)
      return
    }
    let withAPI = extractor.extractFlag(named: "with-api") > 0
    let isDry = extractor.extractFlag(named: "dry-run") > 0
    let scheme = extractor.extractOption(named: "scheme").last
    let folder = extractor.extractOption(named: "modules").last ?? "Modules"
    let words = extractor.remainingArguments
    guard words.count == 1, let word = words.first, !word.hasPrefix("-") else {
      throw NewModuleError("give one name; see swift package new-module --help")
    }
    let package = KnownPackage(context.package, folder: folder)
    let name = try ModuleName(word, taken: package.takenNames)
    let plan = NewModulePlan(
      name, scheme: try package.scheme(given: scheme), layout: package.layout, targets: package.targets,
      manifest: try package.manifest(), library: package.library,
      withAPI: withAPI)
    let writing = PlanWriting(plan: plan, folder: context.package.directoryURL)
    try writing.refuseToOverwrite()
    if isDry {
      writing.show()
    } else {
      try writing.write()
    }
    for line in package.remainingSteps(for: name, plan: plan) { print(line) }
  }
}

/// The reason that nothing was done.
struct NewModuleError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
