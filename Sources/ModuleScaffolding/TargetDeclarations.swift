/// The declarations of a module's targets as elements of the manifest's array.
struct TargetDeclarations {
  let name: ModuleName
  let layout: PackageLayout
  /// The name in the manifest of the package that provides Mediation.
  let library: String
  /// Whether the module lists the plugin ModuleBoundary itself, because no app's target does.
  let isGuardedAlone: Bool
  /// Whether the module loads an API.
  var withAPI = false

  private var mediation: String { product("Mediation") }
  /// The products of the library that the module needs besides Mediation.
  var moduleProducts: [String] { withAPI ? ["APIManagers"] : [] }
  /// The products of the library that the module's tests need besides Mediation.
  var testProducts: [String] { withAPI ? ["APIManagers", "Interception", "SwitchyardTesting"] : [] }

  private func product(_ name: String) -> String { ".product(name: \"\(name)\", package: \"\(library)\")" }

  /// The elements of an array of dependencies, on one line, or with an API on a line each.
  private func list(_ elements: [String]) -> String {
    guard withAPI else { return elements.joined(separator: ", ") }
    return "\n      " + elements.joined(separator: ",\n      ") + ",\n    "
  }

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
          dependencies: [\(list(["\"\(name.contract)\"", mediation] + moduleProducts.map(product)))],
          \(isGuardedAlone ? "\(path),\n    \(plugins)" : path))
      """
  }

  var tests: String {
    let elements = ["\"\(name)\"", "\"\(name.contract)\"", mediation] + testProducts.map(product)
    return """
        .testTarget(
          name: "\(name.tests)",
          dependencies: [\(list(elements))],
          path: "\(layout.tests)/\(name.tests)")
      """
  }

  var all: [String] { [contract, module, tests] }
}
