/// Adds a module to the text of a manifest and leaves the rest unchanged.
///
/// If the manifest lists its modules in rows such as `("Help", calls: []),` or `.businessModule("Help"),`, a
/// row is added. Targets that the rows do not create are declared after the package's declaration, before any
/// code that changes all targets.
struct ManifestEdit {
  private let text: String
  private let code: ManifestCode

  init(code: ManifestCode, text: String) {
    self.text = text
    self.code = code
  }

  /// Returns the manifest with the module's targets, or nil if it has no package declaration that can be
  /// extended.
  func adding(
    _ name: ModuleName, declarations: TargetDeclarations, existing: [String], targets: Set<String>
  ) -> String? {
    let row = lastRow(of: existing)
    func isMade(_ suffix: String) -> Bool {
      guard let row else { return false }
      // An existing target that no declaration names was created from the row.
      let target = "\(row.module)\(suffix)"
      return targets.contains(target) && !declares(target)
    }
    var missing: [String] = []
    if !isMade("Routes") { missing.append(declarations.contract) }
    if row == nil { missing.append(declarations.module) }
    if !isMade("Tests") { missing.append(declarations.tests) }

    var insertions: [(at: Int, text: String)] = []
    if let row {
      insertions.append((row.end, row.text.replacing("\"\(row.module)\"", with: "\"\(name)\"")))
    }
    if !missing.isEmpty {
      guard let insertion = insertion(of: missing) else { return nil }
      insertions.append(insertion)
    }
    // Backwards, so that an insertion does not move the offsets of the others.
    var bytes = code.bytes
    for insertion in insertions.sorted(by: { $0.at > $1.at }) {
      bytes.insert(contentsOf: Array(insertion.text.utf8), at: insertion.at)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the name of a target is the first argument of a call that does not only refer to it.
  private func declares(_ target: String) -> Bool {
    text.matches(of: /(\w+)\s*\(\s*(?:name:\s*)?"(\w+)"/).contains { match in
      match.2 == target && !["byName", "product", "library", "executable"].contains(match.1)
    }
  }

  /// Returns the last line, including its line break, that declares an existing module by its name alone.
  private func lastRow(of modules: [String]) -> (module: String, text: String, end: Int)? {
    var start = 0
    var found: (String, String, Int)?
    for line in code.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let end = min(start + line.count + 1, code.bytes.count)
      defer { start = end }
      let row = String(decoding: line, as: UTF8.self)
      guard let match = row.wholeMatch(of: /\s*(?:\.\w+)?\("(\w+)"(?:,[^"]*)?\),\s*/),
        modules.contains(String(match.1)), code.isBalanced(start..<end), code.isCode(at: end - 1)
      else { continue }
      found = (String(match.1), row + "\n", end)
    }
    return found
  }

  /// Returns an insertion of the elements, in a new statement after the package's declaration or in the
  /// existing one.
  private func insertion(of elements: [String]) -> (at: Int, text: String)? {
    guard let declaration = code.packageDeclaration() else { return nil }
    let text = elements.joined(separator: ",\n")
    let statement = "\(declaration.name).targets += ["
    let next = code.skipSpace(from: declaration.end)
    if code.bytes[next...].starts(with: statement.utf8) {
      let opening = next + statement.utf8.count - 1
      guard let closing = code.end(ofBracketAt: opening), let last = code.lastCode(before: closing - 1) else {
        return nil
      }
      let isSeparated = [UInt8(ascii: ","), UInt8(ascii: "[")].contains(code.bytes[last])
      return (last + 1, (isSeparated ? "" : ",") + "\n\(text),")
    }
    // swift-format expects no trailing comma after a single element.
    let comma = elements.count == 1 ? "" : ","
    return (declaration.end, "\n\n\(statement)\n\(text)\(comma)\n]")
  }
}

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
  /// Whether the module has a screen.
  var withLayers = false

  private var mediation: String { product("Mediation") }
  /// The products of the library that the module needs besides Mediation.
  var moduleProducts: [String] { (withAPI ? ["APIManagers"] : []) + (withLayers ? ["Navigation"] : []) }
  /// The products of the library that the written tests need besides Mediation.
  var testProducts: [String] { withAPI ? ["APIManagers", "Interception", "SwitchyardTesting"] : [] }

  private func product(_ name: String) -> String { ".product(name: \"\(name)\", package: \"\(library)\")" }

  /// The elements of an array of dependencies, on one line or on a line each.
  private func list(_ elements: [String], isLong: Bool) -> String {
    guard isLong else { return elements.joined(separator: ", ") }
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
    let products = list(
      ["\"\(name.contract)\"", mediation] + moduleProducts.map(product), isLong: withAPI || withLayers)
    return """
        .target(
          name: "\(name)",
          dependencies: [\(products)],
          \(isGuardedAlone ? "\(path),\n    \(plugins)" : path))
      """
  }

  var tests: String {
    // Tests that are added later replace the app and the other modules by MediationKit.
    let products = ["MediationTesting"] + testProducts
    let elements = ["\"\(name)\"", "\"\(name.contract)\"", mediation] + products.map(product)
    return """
        .testTarget(
          name: "\(name.tests)",
          dependencies: [\(list(elements, isLong: true))],
          path: "\(layout.tests)/\(name.tests)")
      """
  }

  var all: [String] { [contract, module, tests] }
}
