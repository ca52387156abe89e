import Foundation
import PackagePlugin

/// Checks the boundaries of all business modules of a package and of its local dependencies, and on request
/// their layers and the way in which they take loads, without a build.
///
/// It finds more than the builds of the modules do: modules without the plugin, and imports of a module by
/// the local targets that modules depend on. It uses no tool: to provide one, SwiftPM plans a build of the
/// whole package, and that plan fails on the first module whose plugin reports a fault.
@main
struct VerifyModules: CommandPlugin {
  static let help = """
    OVERVIEW: Checks that no business module depends on another one or imports it, and how modules are built.

    USAGE: swift package verify-modules [--modules FOLDER]... [--layers] [--hand-over WAY] [--quiet]

    Business modules are the targets in a folder named Modules and the single-module packages in such a
    folder, in this package and in the local packages that it uses, whether or not they use the plugin
    ModuleBoundary. Nothing is built.

    OPTIONS:
      --modules FOLDER  the name of the folder that holds business modules; default: Modules; can be
                        repeated
      --layers          also checks the layers of each module. They are folders: Items for what is shown,
                        DataCenter for what is kept, Services for what is fetched, Screens for what shows. A
                        layer may use itself and those before it, and a screen names no transport, store or
                        interceptor. Only the file that declares the module is beside the folders
      --hand-over WAY   also checks that modules take what managers and clients load in one way only:
                        delegate (a manager's APIManagerDelegate), async (an awaited load, a loop over
                        updates or items) or state (a manager's LoadState, a Pager's list)
      --quiet           prints only the violations
      --help            shows this help

    Types are found by their names, in all branches of #if. --layers does not follow functions and members.
    --hand-over follows variables, parameters, functions and members to the types that are written in the
    module and in the local targets that it uses. It is silent about what has another or no known type: an
    element of a tuple, $0, an untyped parameter of a closure. A member of a name that is declared nowhere in
    them, such as c.manager, counts if all variables of the module that are called manager are managers.

    Each violation is printed as one line `path:line[:column]: error: ...`, all in one run. Exit codes: 0 if
    there are none; 1 if there are some, if no module is found, or if the arguments are wrong.
    """

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let options = try VerificationOptions(arguments)
    if options.showsHelp {
      print(Self.help)
      return
    }
    let folders = options.folders.isEmpty ? [BusinessModules.usualFolder] : options.folders
    let packages = ModulePackages(reachedFrom: context.package)
    let modules = BusinessModules(in: packages, folders: folders)
    guard !modules.targets.isEmpty else {
      throw VerificationFailure(
        "no target is in a folder named \(folders.joined(separator: " or ")); name the folder with --modules"
      )
    }
    let violations =
      try boundaryViolations(of: modules, among: packages)
      + ruleViolations(of: modules, among: packages, options)
    for violation in violations { print(violation) }
    let count = modules.targets.count
    let extent = "\(count) business \(count == 1 ? "module" : "modules")"
    let kept =
      switch (options.checksLayers, options.handOver != nil) {
      case (false, false): "boundaries"
      case (true, false): "boundaries and layers"
      case (false, true): "boundaries and hand-over"
      case (true, true): "boundaries, layers and hand-over"
      }
    guard violations.isEmpty else {
      throw VerificationFailure(
        "\(violations.count) \(violations.count == 1 ? "violation" : "violations") of the \(kept) of \(extent)"
      )
    }
    if !options.isQuiet {
      print("verify-modules: \(extent) keep their \(kept): \(modules.names.joined(separator: ", "))")
    }
  }

  private func boundaryViolations(
    of modules: BusinessModules, among packages: ModulePackages
  ) throws -> [String] {
    var violations: [String] = []
    for module in modules.targets {
      let boundary = Boundary(of: module, among: packages)
      violations += boundary.dependencyViolations().map { "\($0.manifest):\($0.line): error: \($0.sentence)" }
      violations += try ImportScan.violations(in: module, forbidden: boundary.forbidden).map(\.description)
    }
    for target in modules.foundations {
      violations += try ImportScan.violations(in: target, forbidden: modules.forbidden).map(\.description)
    }
    return violations
  }

  /// Returns the violations of the rules that the options ask for.
  private func ruleViolations(
    of modules: BusinessModules, among packages: ModulePackages, _ options: VerificationOptions
  ) throws -> [String] {
    guard options.checksLayers || options.handOver != nil else { return [] }
    let shared = try modules.foundations.flatMap { try ModuleReading.sources(of: $0) }
    return try ModuleReading.modules(modules, among: packages).flatMap { module -> [String] in
      var violations: [SourceViolation] = []
      if options.checksLayers {
        violations += LayerRule(module: module.name)
          .violations(in: module.sources, of: module.folder, using: shared)
      }
      if let way = options.handOver {
        violations += HandOverRule(module: module.name, permitted: way)
          .violations(in: module.sources, using: shared)
      }
      return violations.map(\.description)
    }
  }
}

/// The reason that the command failed.
struct VerificationFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

extension BusinessModules {
  /// All modules, as forbidden modules.
  var forbidden: [ForbiddenModule] {
    let contracts = Set(foundations.map(\.name))
    return targets.map { target in
      ForbiddenModule(
        name: (target as? any SourceModuleTarget)?.moduleName ?? target.name,
        contract: contracts.contains("\(target.name)Routes") ? "\(target.name)Routes" : nil)
    }
  }
}
