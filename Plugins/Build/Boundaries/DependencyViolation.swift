/// A dependency that leads from one business module to another.
struct DependencyViolation {
  var module: String
  var sibling: Boundary.Sibling
  /// The targets from the module to the sibling, including both.
  var way: [String]
  /// The manifest that declares the dependency to remove.
  var manifest: String
  var line: Int

  var sentence: String {
    let through = way.count > 2 ? " (\(way.joined(separator: " → ")))" : ""
    return "module '\(module)' may not depend on module '\(sibling.name)'\(through); \(sibling.remedy)"
  }
}
