/// A module's targets as a manifest declares them, each an element of an array.
struct TargetDeclarations {
  let name: ModuleName
  let layout: PackageLayout
  /// What the manifest calls the package that Mediation comes from.
  let library: String

  private var mediation: String { ".product(name: \"Mediation\", package: \"\(library)\")" }

  var contract: String {
    """
      .target(
        name: "\(name.contract)", dependencies: [\(mediation)],
        path: "\(layout.contracts)/\(name.contract)")
    """
  }

  var module: String {
    """
      .target(
        name: "\(name)",
        dependencies: ["\(name.contract)", \(mediation)],
        path: "\(layout.modules)/\(name)",
        plugins: [.plugin(name: "ModuleBoundary", package: "\(library)")])
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
