import Foundation
import PackagePlugin

/// Fails the build of an app, or of one business module, if a business module depends on another one or
/// imports it.
///
/// Business modules are the targets that lie side by side in one folder, say `Sources/Modules`. What several
/// of them need lies elsewhere: the targets with a module's typed routes, called `<Module>Routes`, in
/// `Sources/Contracts`, say. A target counts as such by its own folder, so give a module's `path` without a
/// `Sources` behind its name.
///
/// A module may also have a package of its own, called like the module, in which every target's name begins
/// with the module's: `Listings`, `ListingsRoutes`, `ListingsScreens`. Of such a package others may use the
/// contract alone, if it has one or if the packages lie side by side.
///
/// Give it to the app's target, which depends on the modules: it then checks every module in a folder called
/// `Modules`, those made later too. SwiftPM hands the whole graph of packages to a plugin for each target
/// that uses it, so this also costs the least. What it does not check then is a build without the app: `swift
/// build --target Listings` finds no import of another module in Listings. `swift package verify-modules`
/// checks all modules without the app and without a build.
///
/// Give it to a module where the module is built alone, in a package of its own for instance, or where the
/// folder has another name: it then checks that module against those beside it, and, if the module depends on
/// some in a folder `Modules`, those too. So let an app's target lie in `Sources` or in the package's folder
/// itself, where what lies beside it is not taken for modules, or in a folder apart from what it depends on.
///
/// Dependencies are judged when the build is planned; imports by a command of the build for each module,
/// which runs again whenever a source of it changes, because SwiftPM keeps what a plugin said until the
/// manifest or the list of files changes.
@main
struct ModuleBoundary: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let packages = ModulePackages(reachedFrom: context.package)
    let tool = try context.tool(named: "module-boundary-tool").url
    return Self.modules(guardedBy: target, among: packages).compactMap { module in
      let boundary = Boundary(of: module, among: packages)
      report(boundary.dependencyViolations())
      return importCheck(of: module, boundary, tool: tool, in: context.pluginWorkDirectoryURL)
    }
  }

  /// The target itself, and if it is none of the modules in folders `Modules` but depends on some, all of
  /// those.
  ///
  /// Only the target of an app that lies where targets of all kinds do is not among them.
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
      // The place stands in the text too: the command line shows nothing of a plugin's diagnostic but its
      // text.
      Diagnostics.error(
        "\(violation.manifest):\(violation.line): \(violation.sentence)", file: violation.manifest,
        line: violation.line)
    }
  }

  private func importCheck(
    of target: any Target, _ boundary: Boundary, tool: URL, in folder: URL
  ) -> Command? {
    guard let module = target as? SwiftSourceModuleTarget else { return nil }
    let sources = module.sourceFiles(withSuffix: "swift").map(\.url)
    guard !sources.isEmpty else { return nil }
    // A Swift file: SwiftPM would take an output of another kind for a resource and make a bundle of it, and
    // of a header nothing depends, so that the command would not run.
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
