/// An import that crosses the boundary between two business modules.
public struct BoundaryViolation: Sendable, Hashable, CustomStringConvertible {
  /// The module whose source contains the import.
  public var importer: String
  /// The imported module.
  public var imported: ForbiddenModule
  /// The path of the source file, as given.
  public var path: String
  /// The import declaration and its position.
  public var declaration: ImportDeclaration

  /// What is wrong, and the alternative, without the place.
  public var sentence: String {
    "module '\(importer)' may not import module '\(imported.name)'; \(imported.remedy)"
  }

  /// The violation in the format of a compiler error, which build logs and editors understand.
  public var description: String {
    "\(path):\(declaration.line):\(declaration.column): error: \(sentence)"
  }
}
