/// A module's targets as a manifest declares them, each an element of an array.
struct TargetDeclarations {
  let name: ModuleName
  let layout: PackageLayout
  /// What the manifest calls the package that Mediation comes from.
  let library: String
  /// Whether the module gets the plugin ModuleBoundary of its own, because no app's target has it.
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
