/// The types that a source text declares, and the names that it uses.
///
/// Like the imports, they are found without parsing: comments and the characters of strings are skipped, and
/// inactive `#if` branches are read as well.
struct SourceOutline: Sendable {
  /// A use of a name.
  struct Use: Sendable, Hashable {
    var name: String
    var line: Int
    var column: Int
    /// The name before the dot: `Catalog` in `Catalog.Item`.
    var qualifier: String?
    /// Whether a dot precedes it.
    var isMember: Bool
    /// The innermost types and extensions that enclose it, outermost first.
    var enclosing: [String]
  }

  /// A declaration of a type, a protocol or a type alias, or an extension of a type.
  struct Declaration: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case type, `protocol`, alias, `extension`
    }

    var kind: Kind
    var name: String
    var line: Int
    var column: Int
    /// The innermost types and extensions that enclose it, outermost first.
    var enclosing: [String]
    /// Whether it is directly in an extension, which may be in another layer than the type.
    var isInExtension: Bool
    /// Whether other files can't use it.
    var isFilePrivate: Bool
    /// What it inherits from and conforms to, or what an alias stands for.
    var bases: [String]
  }

  let imports: [ImportDeclaration]
  let lexemes: [Lexeme]
  let uses: [Use]
  let declarations: [Declaration]
  /// The generic parameters and associated types, which are no types of the module.
  let parameters: Set<String>

  /// Reads a source text; the time is linear in its length.
  init(_ text: [UInt8]) {
    imports = ImportScanner.imports(in: text)
    var lexer = SourceLexer(text)
    var lexemes: [Lexeme] = []
    while let lexeme = lexer.next() { lexemes.append(lexeme) }
    var reader = OutlineReader(lexemes)
    reader.read()
    self.lexemes = lexemes
    uses = reader.uses
    declarations = reader.declarations
    parameters = reader.parameters
  }

  /// The names that the text itself declares at any depth, in which it can't mean another file's type.
  var ownNames: Set<String> {
    parameters.union(declarations.lazy.filter { $0.kind != .extension }.map(\.name))
  }

  /// The names of the types at the top level that other files can't use.
  var privateNames: Set<String> {
    Set(
      declarations.lazy.filter { $0.isFilePrivate && $0.enclosing.isEmpty && $0.kind != .extension }
        .map(\.name))
  }

  /// The declarations that other files can use; an extension of a file-private type is none of them.
  var visibleDeclarations: [Declaration] {
    let hidden = privateNames
    return declarations.filter {
      !$0.isFilePrivate && !hidden.contains($0.enclosing.first ?? $0.name)
    }
  }

  /// Returns names with all that depends on them, directly or through others.
  static func closure(of names: Set<String>, in dependents: [String: [String]]) -> Set<String> {
    var found = names
    var rest = Array(names)
    while let name = rest.popLast() {
      for dependent in dependents[name] ?? [] where found.insert(dependent).inserted {
        rest.append(dependent)
      }
    }
    return found
  }
}

/// Finds declarations and uses in the lexemes of a source text.
struct OutlineReader {
  private static let types: Set<String> = ["struct", "class", "enum", "actor", "protocol", "extension"]
  /// What may follow `class` as a modifier.
  private static let members: Set<String> = [
    "async", "fileprivate", "final", "func", "internal", "let", "open", "override", "package", "private",
    "public", "required", "subscript", "var",
  ]
  /// What ends the effect of an access modifier.
  private static let endsAccess: Set<String> = ["let", "var", "func", "init", "case", "subscript", "import"]

  private struct Scope {
    var name: String?
    var isExtension = false
    var isFilePrivate = false
  }

  private let lexemes: [Lexeme]
  private var position = 0
  private var scopes: [Scope] = []
  /// The number of enclosing scopes that other files can't use.
  private var privateScopes = 0
  private var names: [String] = []
  /// The type whose body begins at the next brace.
  private var opened = Scope()
  private var isFilePrivate = false

  private(set) var uses: [SourceOutline.Use] = []
  private(set) var declarations: [SourceOutline.Declaration] = []
  private(set) var parameters: Set<String> = []

  init(_ lexemes: [Lexeme]) { self.lexemes = lexemes }

  mutating func read() {
    while position < lexemes.count {
      switch lexemes[position].kind {
      case .mark(ASCII.openBrace): open()
      case .mark(ASCII.closeBrace): close()
      case .mark(ASCII.semicolon): (opened, isFilePrivate) = (Scope(), false)
      case .name(let word) where Self.types.contains(word) && declaresType(word):
        readType(word)
        continue
      case .name("typealias") where identifier(position + 1) != nil:
        readAlias()
        continue
      case .name("associatedtype"):
        if let name = identifier(position + 1) { parameters.insert(name) }
      case .name("func"):
        isFilePrivate = false
        if identifier(position + 1) != nil, mark(position + 2) == ASCII.lessThan {
          position += 2
          readParameters()
          continue
        }
      case .name(let word):
        if word == "private" || word == "fileprivate" { isFilePrivate = true }
        if Self.endsAccess.contains(word) { isFilePrivate = false }
        note(position)
      case .quotedName: note(position)
      case .literal, .mark: break
      }
      position += 1
    }
  }

  /// The innermost types that enclose the position; more would take quadratic memory in deeply nested text.
  private var enclosing: [String] { names.count <= 16 ? names : Array(names.suffix(16)) }

  private mutating func open() {
    scopes.append(opened)
    if opened.isFilePrivate { privateScopes += 1 }
    if let name = opened.name { names.append(name) }
    (opened, isFilePrivate) = (Scope(), false)
  }

  private mutating func close() {
    if let last = scopes.popLast() {
      if last.name != nil { names.removeLast() }
      if last.isFilePrivate { privateScopes -= 1 }
    }
    (opened, isFilePrivate) = (Scope(), false)
  }

  private func mark(_ index: Int) -> UInt8? {
    guard lexemes.indices.contains(index), case .mark(let byte) = lexemes[index].kind else { return nil }
    return byte
  }

  private func word(_ index: Int) -> String? {
    guard lexemes.indices.contains(index), case .name(let word) = lexemes[index].kind else { return nil }
    return word
  }

  private func identifier(_ index: Int) -> String? {
    guard lexemes.indices.contains(index) else { return nil }
    switch lexemes[index].kind {
    case .name(let name), .quotedName(let name): return name
    default: return nil
    }
  }

  /// Whether the keyword at the position declares or extends a type, and is no member, label or modifier.
  private func declaresType(_ keyword: String) -> Bool {
    guard identifier(position + 1) != nil, word(position - 1) != "import" else { return false }
    if mark(position - 1) == ASCII.dot, lexemes[position].touchesPrevious { return false }
    switch keyword {
    case "class": return word(position + 1).map { !Self.members.contains($0) } ?? true
    case "actor":
      // The word is a keyword only here.
      if word(position + 2) == "where" { return true }
      return [ASCII.openBrace, ASCII.colon, ASCII.lessThan].contains(mark(position + 2))
    default: return true
    }
  }

  private mutating func readType(_ keyword: String) {
    let isExtension = keyword == "extension"
    position += 1
    var place = position
    while identifier(position) != nil {
      if isExtension { note(position) }
      place = position
      position += 1
      guard isExtension, mark(position) == ASCII.dot, identifier(position + 1) != nil else { break }
      position += 1
    }
    let name = identifier(place) ?? ""
    if mark(position) == ASCII.lessThan { readParameters() }
    var bases: [String] = []
    if mark(position) == ASCII.colon {
      position += 1
      bases = readBases()
    }
    let isPrivate = isFilePrivate || privateScopes > 0
    let kind: SourceOutline.Declaration.Kind =
      switch keyword {
      case "extension": .extension
      case "protocol": .protocol
      default: .type
      }
    record(kind, name, at: place, bases, isFilePrivate: isPrivate)
    opened = Scope(name: name, isExtension: isExtension, isFilePrivate: isFilePrivate)
    isFilePrivate = false
  }

  /// Reads what a type inherits from, up to its body or its constraints; arguments of generic types are no
  /// bases.
  private mutating func readBases() -> [String] {
    var bases: [String] = []
    var depth = 0
    while position < lexemes.count {
      switch lexemes[position].kind {
      case .mark(ASCII.openBrace), .mark(ASCII.closeBrace), .mark(ASCII.semicolon), .name("where"):
        return bases
      case .mark(ASCII.lessThan): depth += 1
      case .mark(ASCII.greaterThan) where mark(position - 1) != ASCII.hyphen: depth -= 1
      case .name(let name) where Self.types.contains(name) && name != "actor": return bases
      case .name(let name), .quotedName(let name):
        if depth <= 0, mark(position - 1) != ASCII.at { bases.append(name) }
        note(position)
      default: break
      }
      position += 1
    }
    return bases
  }

  /// Reads generic parameters between angle brackets.
  private mutating func readParameters() {
    var depth = 0
    while position < lexemes.count {
      switch lexemes[position].kind {
      case .mark(ASCII.lessThan): depth += 1
      case .mark(ASCII.greaterThan) where mark(position - 1) != ASCII.hyphen:
        depth -= 1
        if depth == 0 {
          position += 1
          return
        }
      case .mark(ASCII.openBrace), .mark(ASCII.closeBrace), .mark(ASCII.semicolon): return
      case .name(let name), .quotedName(let name):
        let before = word(position - 1) == "each" ? mark(position - 2) : mark(position - 1)
        if depth == 1, before == ASCII.lessThan || before == ASCII.comma {
          parameters.insert(name)
        } else {
          note(position)
        }
      default: break
      }
      position += 1
    }
  }

  private mutating func readAlias() {
    let place = position + 1
    let name = identifier(place) ?? ""
    position += 2
    if mark(position) == ASCII.lessThan { readParameters() }
    var bases: [String] = []
    if mark(position) == ASCII.equals {
      position += 1
      while position < lexemes.count, !endsAlias() {
        if let base = identifier(position) {
          bases.append(base)
          note(position)
        }
        position += 1
      }
    }
    let isPrivate = isFilePrivate || privateScopes > 0
    record(.alias, name, at: place, bases, isFilePrivate: isPrivate)
    isFilePrivate = false
  }

  /// Whether the lexeme at the position no longer belongs to the type that an alias stands for.
  private func endsAlias() -> Bool {
    let lexeme = lexemes[position]
    switch lexeme.kind {
    case .mark(ASCII.openBrace), .mark(ASCII.closeBrace), .mark(ASCII.semicolon), .name("where"): return true
    default: break
    }
    guard lexeme.line > lexemes[position - 1].line else { return false }
    let continuing: [UInt8] = [ASCII.dot, ASCII.ampersand, ASCII.comma, ASCII.greaterThan, ASCII.hyphen]
    let closing = [ASCII.closeParenthesis, ASCII.closeBracket]
    if let mark = mark(position), (continuing + closing).contains(mark) { return false }
    guard let before = mark(position - 1) else { return true }
    // After a closing angle bracket the type is complete, unless it is that of an arrow.
    if before == ASCII.greaterThan { return mark(position - 2) != ASCII.hyphen }
    return closing.contains(before) || before == ASCII.question || before == ASCII.exclamation
  }

  private mutating func record(
    _ kind: SourceOutline.Declaration.Kind, _ name: String, at place: Int, _ bases: [String],
    isFilePrivate: Bool
  ) {
    guard lexemes.indices.contains(place) else { return }
    declarations.append(
      .init(
        kind: kind, name: name, line: lexemes[place].line, column: lexemes[place].column,
        enclosing: enclosing, isInExtension: scopes.last?.isExtension == true, isFilePrivate: isFilePrivate,
        bases: bases))
  }

  private mutating func note(_ index: Int) {
    guard let name = identifier(index) else { return }
    // A condition names a module without using it.
    if mark(index - 1) == ASCII.openParenthesis, identifier(index - 2) == "canImport" { return }
    // Three dots are an operator.
    let isMember = mark(index - 1) == ASCII.dot && mark(index - 2) != ASCII.dot
    uses.append(
      .init(
        name: name, line: lexemes[index].line, column: lexemes[index].column,
        qualifier: isMember ? identifier(index - 2) : nil, isMember: isMember, enclosing: enclosing))
  }
}
