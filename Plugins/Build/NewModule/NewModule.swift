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

    USAGE: swift package new-module NAME [--with-api] [--layers] [--scheme SCHEME] [--modules FOLDER]
                                     [--dry-run]

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
      --layers          creates a module with a screen, in a folder for each layer: Items for what is shown,
                        DataCenter for what is kept, Services for what is fetched, Screens for what shows;
                        swift package verify-modules --layers checks that it stays so
      --scheme SCHEME   the scheme of the module's first URL; default: the one used by the other modules'
                        routes, or else the package's name
      --modules FOLDER  the name of the folder that holds business modules; default: Modules
      --dry-run         writes nothing, and shows what would be written
      --help            shows this help

    Existing files are never overwritten. Exit codes: 0 done, 1 nothing was done, with the reason.
    """

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let options = try NewModuleOptions(arguments)
    if options.showsHelp {
      print(Self.help)
      return
    }
    let package = KnownPackage(context.package, folder: options.folder)
    let name = try ModuleName(options.name, taken: package.takenNames)
    let plan = NewModulePlan(
      name, scheme: try package.scheme(given: options.scheme), layout: package.layout,
      targets: package.targets, manifest: try package.manifest(), library: package.library,
      withAPI: options.withAPI, withLayers: options.withLayers)
    let writing = PlanWriting(plan: plan, folder: context.package.directoryURL)
    try writing.refuseToOverwrite()
    if options.isDry {
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
