/// An import that crosses the boundary between two business modules.
public struct BoundaryViolation: Sendable, Hashable, CustomStringConvertible {
  /// The module whose source holds the import.
  public var importer: String
  /// The module that is imported.
  public var imported: ForbiddenModule
  /// The source file, as it was given.
  public var path: String
  /// Where the module is named.
  public var declaration: ImportDeclaration

  /// The violation in the form of a compiler error, which build logs and editors understand.
  public var description: String {
    "\(path):\(declaration.line):\(declaration.column): error: module '\(importer)' may not import module "
      + "'\(imported.name)'; \(imported.remedy)"
  }
}
