/// The declarations of a module's targets as elements of the manifest's array.
struct TargetDeclarations {
  let name: ModuleName
  let layout: PackageLayout
  /// The name in the manifest of the package that provides Mediation.
  let library: String
  /// Whether the module lists the plugin ModuleBoundary itself, because no app's target does.
  let isGuardedAlone: Bool

  private var mediation: String { ".product(name: \"Mediation\", package: \"\(library)\")" }

  var contract: String {
    """
      .target(
        name: "\(name.contract)", dependencies: [\(mediation)],
        path: "\(layout.contracts)/\(name.contract)")
    """
  }

  var module: String {
    let path = "path: \"\(layout.modules)/\(name)\""
    let plugins = "plugins: [.plugin(name: \"ModuleBoundary\", package: \"\(library)\")]"
    return """
        .target(
          name: "\(name)",
          dependencies: ["\(name.contract)", \(mediation)],
          \(isGuardedAlone ? "\(path),\n    \(plugins)" : path))
      """
  }

  var tests: String {
    """
      .testTarget(
        name: "\(name.tests)",
        dependencies: ["\(name)", "\(name.contract)", \(mediation)],
        path: "\(layout.tests)/\(name.tests)")
    """
  }

  var all: [String] { [contract, module, tests] }
}
