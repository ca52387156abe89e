import Foundation
import PackagePlugin

/// Checks the boundaries of all business modules of a package and of its local dependencies, without a build.
///
/// It finds more than the builds of the modules do: modules without the plugin, and imports of a module by
/// the local targets that modules depend on. It uses no tool: to provide one, SwiftPM plans a build of the
/// whole package, and that plan fails on the first module whose plugin reports a fault.
@main
struct VerifyModules: CommandPlugin {
  static let help = """
    OVERVIEW: Checks that no business module depends on another one or imports it.

    USAGE: swift package verify-modules [--modules FOLDER]...

    Business modules are the targets in a folder named Modules and the single-module packages in such a
    folder, in this package and in the local packages that it uses, whether or not they use the plugin
    ModuleBoundary. Nothing is built.

    OPTIONS:
      --modules FOLDER  the name of the folder that holds business modules; default: Modules; can be
                        repeated
      --quiet           prints only the violations
      --help            shows this help

    Each violation is printed as one line `path:line[:column]: error: ...`, all in one run. Exit codes: 0 if
    there are none; 1 if there are some, if no module is found, or if the arguments are wrong.
    """

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var extractor = ArgumentExtractor(arguments)
    if extractor.extractFlag(named: "help") > 0 || extractor.remainingArguments.contains("-h") {
      print(Self.help)
      return
    }
    let isQuiet = extractor.extractFlag(named: "quiet") > 0
    let given = extractor.extractOption(named: "modules")
    if let stranger = extractor.remainingArguments.first {
      throw VerificationFailure("unknown argument \(stranger); see swift package verify-modules --help")
    }
    let folders = given.isEmpty ? [BusinessModules.usualFolder] : given
    let packages = ModulePackages(reachedFrom: context.package)
    let modules = BusinessModules(in: packages, folders: folders)
    guard !modules.targets.isEmpty else {
      throw VerificationFailure(
        "no target is in a folder named \(folders.joined(separator: " or ")); name the folder with --modules"
      )
    }
    var violations: [String] = []
    for module in modules.targets {
      let boundary = Boundary(of: module, among: packages)
      violations += boundary.dependencyViolations().map { "\($0.manifest):\($0.line): error: \($0.sentence)" }
      violations += try ImportScan.violations(in: module, forbidden: boundary.forbidden).map(\.description)
    }
    for target in modules.foundations {
      violations += try ImportScan.violations(in: target, forbidden: modules.forbidden).map(\.description)
    }
    for violation in violations { print(violation) }
    let count = modules.targets.count
    let extent = "\(count) business \(count == 1 ? "module" : "modules")"
    guard violations.isEmpty else {
      throw VerificationFailure(
        "\(violations.count) \(violations.count == 1 ? "violation" : "violations") of the boundaries of \(extent)"
      )
    }
    if !isQuiet {
      print("verify-modules: \(extent) keep their boundaries: \(modules.names.joined(separator: ", "))")
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
