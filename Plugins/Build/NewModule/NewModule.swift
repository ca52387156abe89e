import Foundation
import PackagePlugin

/// Makes a business module: its target, its contract and its tests, laid out as the package's other modules are and
/// registered in its manifest.
///
/// It uses no tool, so that it also runs in a package whose build fails.
@main
struct NewModule: CommandPlugin {
  static let help = """
    OVERVIEW: Makes a business module with its contract and its tests, and registers it in Package.swift.

    USAGE: swift package --allow-writing-to-package-directory new-module NAME [--scheme SCHEME]
             [--modules FOLDER] [--dry-run]

    The targets NAME, NAMERoutes and NAMETests are laid out as those of the modules that are there, and
    otherwise in Sources/Modules, Sources/Routes and Tests. What is left to do is one line in the app's
    list of modules; the command says where.

    The module gets no plugin ModuleBoundary where Package.swift gives it to the app's target, a target that
    is declared by its name and depends on modules in a folder Modules, or is the only one that has the
    plugin: there it checks them all. Otherwise the module gets it, unless a row such as
    .businessModule("Help") makes the module.

    ARGUMENTS:
      NAME              the module's name, such as Offers

    OPTIONS:
      --scheme SCHEME   the scheme of the module's first URL; without it the one that the other modules'
                        routes use, or else the package's name
      --modules FOLDER  the name of the folder that holds business modules; Modules without it
      --dry-run         writes nothing and shows what would be written
      --help            shows this

    Nothing that exists is overwritten. Exit codes: 0 done, 1 nothing was done and why is said.
    """

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var extractor = ArgumentExtractor(arguments)
    if extractor.extractFlag(named: "help") > 0 || extractor.remainingArguments.contains("-h") {
      print(Self.help)
      return
    }
    let isDry = extractor.extractFlag(named: "dry-run") > 0
    let scheme = extractor.extractOption(named: "scheme").last
    let folder = extractor.extractOption(named: "modules").last ?? "Modules"
    let words = extractor.remainingArguments
    guard words.count == 1, let word = words.first, !word.hasPrefix("-") else {
      throw Refusal("give one name; see swift package new-module --help")
    }
    let package = KnownPackage(context.package, folder: folder)
    let name = try ModuleName(word, taken: package.takenNames)
    let plan = NewModulePlan(
      name, scheme: try package.scheme(given: scheme), layout: package.layout, targets: package.targets,
      manifest: try package.manifest(), library: package.library)
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
