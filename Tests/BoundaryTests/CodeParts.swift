/// Code of a document, divided by where a file that wraps it into a function can have it.
struct CodeParts {
  /// The imports, which are at the top of a file.
  private(set) var imports: [String] = []
  /// The extensions, which can't be in a function.
  private(set) var extensions: [String] = []
  /// Everything else.
  private(set) var statements: [String] = []

  /// Divides code by the beginnings of its lines, which are formatted: an extension ends with a brace in the
  /// first column.
  init(_ code: String) {
    var isInExtension = false
    for line in code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("import ") {
        imports.append(line)
        statements.append("")
      } else if isInExtension || line.hasPrefix("extension ") {
        // The same extension may be in another document.
        extensions.append(isInExtension ? line : "fileprivate \(line)")
        statements.append("")
        isInExtension = line != "}"
      } else {
        statements.append(line)
      }
    }
  }
}
