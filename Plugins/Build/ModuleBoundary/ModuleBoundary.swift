import Foundation
import PackagePlugin

/// Fails the build of an app or a business module if a business module depends on another one or imports it.
///
/// Business modules are the targets in one folder, such as `Sources/Modules`. What several of them need is in
/// other folders, for example the targets with a module's typed routes, named `<Module>Routes`, in
/// `Sources/Contracts`. The parent of a target's folder decides, so a module's `path` must not end in a
/// folder `Sources` below its name.
///
/// A module can also be a package that has the name of the module, and in which every target's name begins
/// with that name: `Listings`, `ListingsRoutes`, `ListingsScreens`. Others may use only the contract of such
/// a package, if it has one or if the packages are in the same folder.
///
/// Add the plugin to the app's target, which depends on the modules: it then checks every module in a folder
/// named `Modules`, including those added later. This is also the fastest setup, because SwiftPM passes the
/// whole package graph to the plugin for each target that uses it. It does not cover a build without the app:
/// `swift build --target Listings` does not check the imports of Listings. `swift package verify-modules`
/// checks all modules without the app and without a build.
///
/// Add it to a module if the module is built alone, for example in a package, or if its folder has another
/// name: it then checks the module against the others in that folder, and, if the module depends on modules
/// in a folder `Modules`, those too. An app's target should therefore be in `Sources`, in the package's
/// folder itself, whose other targets are not taken for modules, or in a folder without its dependencies.
///
/// Dependencies and imports are checked when the build is planned, before anything is compiled: the compiler
/// stops at an undeclared import of a module that has C modules below it, and its error does not name the
/// boundary. SwiftPM caches the plan until the manifest or the list of files changes. Imports are therefore
/// checked by a build command for each module, too, which runs again whenever one of its sources changes.
@main
struct ModuleBoundary: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let packages = ModulePackages(reachedFrom: context.package)
    let tool = try context.tool(named: "module-boundary-tool").url
    return try Self.modules(guardedBy: target, among: packages).compactMap { module in
      let boundary = Boundary(of: module, among: packages)
      report(boundary.dependencyViolations())
      report(try ImportScan.violations(in: module, forbidden: boundary.forbidden))
      return importCheck(of: module, boundary, tool: tool, in: context.pluginWorkDirectoryURL)
    }
  }

  /// Returns the modules to check for a target: the target itself or, if it is not a module but depends on
  /// some, all modules in folders named `Modules`.
  ///
  /// In the latter case the target itself is included too, unless its folder holds targets of all kinds.
  private static func modules(guardedBy target: any Target, among packages: ModulePackages) -> [any Target] {
    let modules = BusinessModules(in: packages, folders: [BusinessModules.usualFolder]).targets
    let reached = Set(target.recursiveTargetDependencies.map(\.id))
    guard modules.contains(where: { reached.contains($0.id) }),
      !modules.contains(where: { $0.id == target.id })
    else { return [target] }
    return packages.isAmongAllKinds(target) ? modules : [target] + modules
  }

  private func report(_ violations: [DependencyViolation]) {
    for violation in violations {
      // The text repeats the place, because the command line shows only the text of a plugin's diagnostic.
      Diagnostics.error(
        "\(violation.manifest):\(violation.line): \(violation.sentence)", file: violation.manifest,
        line: violation.line)
    }
  }

  private func report(_ violations: [BoundaryViolation]) {
    for violation in violations {
      let line = violation.declaration.line
      Diagnostics.error(
        "\(violation.path):\(line):\(violation.declaration.column): \(violation.sentence)",
        file: violation.path,
        line: line)
    }
  }

  private func importCheck(
    of target: any Target, _ boundary: Boundary, tool: URL, in folder: URL
  ) -> Command? {
    guard let module = target as? SwiftSourceModuleTarget else { return nil }
    let sources = module.sourceFiles(withSuffix: "swift").map(\.url)
    guard !sources.isEmpty else { return nil }
    // The stamp is a Swift file: SwiftPM would treat another kind of output as a resource and create a
    // bundle, and nothing depends on a header, so that the command would not run.
    let stamp = folder.appending(path: "\(module.moduleName).boundary.swift")
    let forbidden = boundary.siblings.flatMap { ["--forbid", $0.argument] }
    return .buildCommand(
      displayName: "Checking the boundary of \(target.name)",
      executable: tool,
      arguments: ["--module", target.name, "--stamp", stamp.path] + forbidden + ["--"] + sources.map(\.path),
      inputFiles: sources,
      outputFiles: [stamp])
  }
}
