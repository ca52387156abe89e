/// Finds the imports of a Swift source text without parsing it.
///
/// Unlike the compiler's own list, the result includes the imports in inactive `#if` branches: a module that
/// is imported only on another platform, or only if it is available, counts as imported. In ambiguous cases
/// it reports a false import rather than miss one.
public struct ImportScanner: Sendable {
  private enum State {
    case elsewhere
    case afterImport
    /// A module was named; a colon after it means that `import` was an argument label.
    case named(ImportDeclaration)
  }

  /// The keywords allowed between `import` and the path; none is a valid module name.
  private static let kinds: Set<String> = [
    "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]

  private var state = State.elsewhere
  private var found: [ImportDeclaration] = []

  /// Returns the imports of a source text, in source order.
  ///
  /// The time is linear in the length of the text, which need not be valid Swift or UTF-8.
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

  /// Whether the lexeme is the keyword, and not a member, macro, attribute or shorthand argument of that
  /// name.
  private static func isImport(_ lexeme: Lexeme, after previous: Lexeme.Kind?) -> Bool {
    guard lexeme.kind == .name("import") else { return false }
    guard lexeme.touchesPrevious, case .mark(let byte) = previous else { return true }
    return ![ASCII.dot, ASCII.pound, ASCII.at, ASCII.dollar].contains(byte)
  }
}
