import Foundation
import PackagePlugin

/// Fails the build of a business module that depends on another one or imports it.
///
/// Business modules are the targets that lie side by side in one folder, say `Sources/Modules`. What several of them
/// need lies elsewhere: the targets with a module's typed routes, called `<Module>Routes`, in `Sources/Contracts`, say.
/// A target counts as such by its own folder, so give a module's `path` without a `Sources` behind its name; modules in
/// packages of their own are not siblings.
///
/// Dependencies are judged when the build is planned; imports by a command of the build, which runs again whenever a
/// source changes, because SwiftPM keeps what a plugin said until the manifest or the list of files changes.
@main
struct ModuleBoundary: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let boundary = Boundary(of: target, in: context.package)
    reportDependencies(of: target, across: boundary, in: context.package)
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

  private func reportDependencies(of target: any Target, across boundary: Boundary, in package: Package) {
    let manifest = package.directoryURL.appending(path: "Package.swift")
    let source = ManifestSource(text: (try? String(contentsOf: manifest, encoding: .utf8)) ?? "")
    for sibling in boundary.siblings {
      guard let path = boundary.path(to: sibling) else { continue }
      let names = path.map(\.name)
      let way = names.count > 2 ? " (\(names.joined(separator: " → ")))" : ""
      let line = source.line(ofDependency: sibling.name, of: names[names.count - 2])
      // The place stands in the text too: the command line shows nothing of a plugin's diagnostic but its text.
      Diagnostics.error(
        "\(manifest.path):\(line): module '\(target.name)' may not depend on module '\(sibling.name)'\(way); "
          + sibling.remedy,
        file: manifest.path, line: line)
    }
  }
}
