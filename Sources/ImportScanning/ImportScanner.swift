/// Finds the imports of a Swift source text without parsing it.
///
/// It reports the imports of inactive `#if` branches too, which the compiler's own list leaves out: a module
/// that is imported on another platform, or only when it happens to be there, is imported. In doubt it
/// reports one too many.
public struct ImportScanner: Sendable {
  private enum State {
    case elsewhere
    case afterImport
    /// A module was named; a colon behind it shows that `import` was an argument label.
    case named(ImportDeclaration)
  }

  /// The keywords that may stand between `import` and the path; none can name a module.
  private static let kinds: Set<String> = [
    "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]

  private var state = State.elsewhere
  private var found: [ImportDeclaration] = []

  /// Returns the imports of a source text, in their order.
  ///
  /// Complexity: linear in the length of the text, which need not be valid Swift or UTF-8.
  public static func imports(in source: some Sequence<UInt8>) -> [ImportDeclaration] {
    var lexer = SourceLexer(source)
    var scanner = ImportScanner()
    var previous: Lexeme.Kind?
    while let lexeme = lexer.next() {
      scanner.read(lexeme, after: previous)
      previous = lexeme.kind
    }
    return scanner.finish()
  }

  private mutating func read(_ lexeme: Lexeme, after previous: Lexeme.Kind?) {
    if case .afterImport = state {
      switch lexeme.kind {
      case .name(let name) where Self.kinds.contains(name): return
      case .name(let name), .quotedName(let name):
        state = .named(ImportDeclaration(module: name, line: lexeme.line, column: lexeme.column))
        return
      default: break
      }
    }
    if case .named(let declaration) = state, lexeme.kind != .mark(ASCII.colon) { found.append(declaration) }
    state = Self.isImport(lexeme, after: previous) ? .afterImport : .elsewhere
  }

  private func finish() -> [ImportDeclaration] {
    guard case .named(let last) = state else { return found }
    return found + [last]
  }

  /// Whether the lexeme is the keyword, not a member, a macro, an attribute or a shorthand of that name.
  private static func isImport(_ lexeme: Lexeme, after previous: Lexeme.Kind?) -> Bool {
    guard lexeme.kind == .name("import") else { return false }
    guard lexeme.touchesPrevious, case .mark(let byte) = previous else { return true }
    return ![ASCII.dot, ASCII.pound, ASCII.at, ASCII.dollar].contains(byte)
  }
}
