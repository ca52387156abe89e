/// An `import` declaration in a source text.
public struct ImportDeclaration: Sendable, Hashable {
  /// The first component of the imported path: `Catalog` in `import struct Catalog.Item`.
  public var module: String
  /// The line of the module's name, starting at 1.
  public var line: Int
  /// The column of the module's name in UTF-8 bytes, starting at 1, as the compiler counts.
  public var column: Int

  /// Creates a declaration at a position in a source text.
  public init(module: String, line: Int, column: Int) {
    self.module = module
    self.line = line
    self.column = column
  }
}
