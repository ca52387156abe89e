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
