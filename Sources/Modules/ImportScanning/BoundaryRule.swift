/// The modules that a business module may not import.
public struct BoundaryRule: Sendable, Hashable {
  /// The name of the business module.
  public var module: String
  /// The modules that it may not import.
  public var forbidden: [ForbiddenModule]

  /// Creates the rule for a business module.
  public init(module: String, forbidden: [ForbiddenModule]) {
    self.module = module
    self.forbidden = forbidden
  }

  /// Returns the imports of a source text that break the rule, in source order.
  public func violations(in source: some Sequence<UInt8>, path: String) -> [BoundaryViolation] {
    ImportScanner.imports(in: source).compactMap { declaration in
      guard let imported = forbidden.first(where: { $0.name == declaration.module }) else { return nil }
      return BoundaryViolation(importer: module, imported: imported, path: path, declaration: declaration)
    }
  }
}

/// A module that another one may not import, and its alternative.
public struct ForbiddenModule: Sendable, Hashable {
  /// The name of the module in an import.
  public var name: String
  /// The target with the module's typed routes, if there is one.
  public var contract: String?

  /// Creates a forbidden module.
  public init(name: String, contract: String? = nil) {
    self.name = name
    self.contract = contract
  }

  /// The alternative to importing the module.
  public var remedy: String {
    if let contract { return "open its route by URL, or depend on \(contract)" }
    return "open its route by URL, or declare its typed routes in a target \(name)Routes and depend on that"
  }
}

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
