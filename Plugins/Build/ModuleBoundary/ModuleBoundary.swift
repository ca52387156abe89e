import Foundation
import PackagePlugin

/// Fails the build of a business module that depends on another one or imports it.
///
/// Business modules are the targets that lie side by side in one folder, say `Sources/Modules`. What several of them
/// need lies elsewhere: the targets with a module's typed routes, called `<Module>Routes`, in `Sources/Contracts`, say.
/// A target counts as such by its own folder, so give a module's `path` without a `Sources` behind its name.
///
/// A module may also have a package of its own, called like the module, in which every target's name begins with the
/// module's: `Listings`, `ListingsRoutes`, `ListingsScreens`. Of such a package others may use the contract alone, if
/// it has one or if the packages lie side by side.
///
/// Dependencies are judged when the build is planned; imports by a command of the build, which runs again whenever a
/// source changes, because SwiftPM keeps what a plugin said until the manifest or the list of files changes.
@main
struct ModuleBoundary: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let boundary = Boundary(of: target, among: ModulePackages(reachedFrom: context.package))
    for violation in boundary.dependencyViolations() {
      // The place stands in the text too: the command line shows nothing of a plugin's diagnostic but its text.
      Diagnostics.error(
        "\(violation.manifest):\(violation.line): \(violation.sentence)", file: violation.manifest,
        line: violation.line)
    }
    guard let module = target as? SwiftSourceModuleTarget else { return [] }
    let sources = module.sourceFiles(withSuffix: "swift").map(\.url)
    guard !sources.isEmpty else { return [] }
    // A Swift file: SwiftPM would take an output of another kind for a resource and make a bundle of it.
    let stamp = context.pluginWorkDirectoryURL.appending(path: "\(module.moduleName).boundary.swift")
    let forbidden = boundary.siblings.flatMap { ["--forbid", $0.argument] }
    return [
      .buildCommand(
        displayName: "Checking the boundary of \(target.name)",
        executable: try context.tool(named: "module-boundary-tool").url,
        arguments: ["--module", target.name, "--stamp", stamp.path] + forbidden + ["--"]
          + sources.map(\.path),
        inputFiles: sources,
        outputFiles: [stamp])
    ]
  }
}
