/// An import that crosses the boundary between two business modules.
package struct BoundaryViolation: Sendable, Hashable, CustomStringConvertible {
  /// The module whose source holds the import.
  package var importer: String
  /// The module that is imported.
  package var imported: ForbiddenModule
  /// The source file, as it was given.
  package var path: String
  /// Where the module is named.
  package var declaration: ImportDeclaration

  /// The violation in the form of a compiler error, which build logs and editors understand.
  package var description: String {
    "\(path):\(declaration.line):\(declaration.column): error: module '\(importer)' may not import module "
      + "'\(imported.name)'; \(imported.remedy)"
  }
}
