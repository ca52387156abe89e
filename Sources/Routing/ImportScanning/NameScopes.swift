/// The variables, parameters and functions that a source text declares, each with its scope.
///
/// The text is read without parsing; a construct that is not known declares nothing.
struct NameScopes: Sendable {
  /// What a declaration says about its name; an index is that of the first lexeme.
  enum Value: Sendable, Hashable {
    case type(Int)
    case expression(Int)
    case unknown
  }

  struct Binding: Sendable, Hashable {
    var name: String
    var scope: Int
    var position: Int
    var value: Value
  }

  /// A body in braces with its head, such as the parameters of a function; the first scope is the file.
  struct Scope: Sendable, Hashable {
    var parent: Int?
    /// The name of the type that is declared or extended here.
    var type: String?
  }

  struct Key: Sendable, Hashable {
    var scope: Int
    var name: String
  }

  private struct Entry {
    var scope: Int
    /// Whether its brace has been read.
    var isOpen: Bool
    /// The number of open parentheses and brackets at its begin.
    var depth: Int
    /// Whether its head declares parameters.
    var declaresParameters = false
  }

  private static let types: Set<String> = ["struct", "class", "enum", "actor", "protocol", "extension"]
  private static let statements: Set<String> = ["for", "if", "while", "switch"]
  private static let notTypes: Set<String> = ["func", "let", "subscript", "var"]

  let text: LexemeList
  private(set) var scopes = [Scope()]
  private(set) var bindings: [Binding] = []
  /// The indices of the bindings by scope and name, in source order.
  private(set) var places: [Key: [Int]] = [:]
  /// The scope of each lexeme.
  private(set) var scopeAt: [Int] = []

  private var stack = [Entry(scope: 0, isOpen: true, depth: 0)]
  private var depth = 0
  /// The depth at which a list of variables is declared.
  private var listDepth: Int?

  /// Reads the lexemes of a source text; the time is linear in their number.
  init(_ lexemes: [Lexeme]) {
    text = LexemeList(lexemes)
    scopeAt.reserveCapacity(lexemes.count)
    for index in lexemes.indices {
      read(index)
      scopeAt.append(current)
    }
  }

  private var current: Int { stack.last?.scope ?? 0 }

  private mutating func read(_ index: Int) {
    if listDepth == depth, text.startsLine(index), text.mark(index - 1) != ASCII.comma { listDepth = nil }
    switch text.lexemes[index].kind {
    case .mark(ASCII.openBrace): openBrace(index)
    case .mark(ASCII.closeBrace): closeBrace()
    case .mark(ASCII.openParenthesis), .mark(ASCII.openBracket): depth += 1
    case .mark(ASCII.closeParenthesis), .mark(ASCII.closeBracket):
      depth = max(0, depth - 1)
      while let last = stack.last, !last.isOpen, last.depth > depth { stack.removeLast() }
    case .mark(ASCII.comma) where listDepth == depth:
      if text.mark(index + 2) == ASCII.colon || text.assigns(index + 2) { readVariable(index + 1) }
    case .name(let word) where text.mark(index - 1) != ASCII.dot && text.mark(index - 1) != ASCII.pound:
      readWord(word, index)
    case .quotedName: readParameter(index)
    default: break
    }
  }

  private mutating func readWord(_ word: String, _ index: Int) {
    let next = text.identifier(index + 1)
    if word == "func" || word == "init" || word == "subscript" {
      let opens = [ASCII.openParenthesis, ASCII.lessThan, ASCII.question, ASCII.exclamation]
      guard word == "func" || text.mark(index + 1).map(opens.contains) == true else { return }
      endHead()
      if word == "func", let name = next, let result = text.result(ofFunctionNamedAt: index + 1) {
        add(name, at: index + 1, .type(result))
      }
      push(parameters: true)
    } else if Self.types.contains(word), let next, !Self.notTypes.contains(next) {
      endHead()
      var place = index + 1
      while word == "extension", text.mark(place + 1) == ASCII.dot, text.identifier(place + 2) != nil {
        place += 2
      }
      push(type: text.identifier(place), parameters: true)
    } else if Self.statements.contains(word), text.mark(index + 1) != ASCII.colon {
      push()
      if word == "for" { readElement(index + 1) }
    } else if ["let", "var", "associatedtype"].contains(word) {
      endHead()
      listDepth = depth
      readVariable(index + 1)
    } else {
      readParameter(index)
    }
  }

  // MARK: Scopes

  private mutating func push(type: String? = nil, isOpen: Bool = false, parameters: Bool = false) {
    scopes.append(Scope(parent: current, type: type))
    stack.append(
      Entry(scope: scopes.count - 1, isOpen: isOpen, depth: depth, declaresParameters: parameters))
  }

  /// Ends the head of a function or type that has no body, such as a requirement of a protocol.
  private mutating func endHead() {
    if let last = stack.last, !last.isOpen, last.declaresParameters, last.depth == depth {
      stack.removeLast()
    }
  }

  private mutating func openBrace(_ index: Int) {
    listDepth = nil
    if let last = stack.last, !last.isOpen, last.depth == depth {
      stack[stack.count - 1].isOpen = true
    } else {
      push(isOpen: true)
      readClosure(index + 1)
    }
  }

  private mutating func closeBrace() {
    listDepth = nil
    while let last = stack.last, !last.isOpen { stack.removeLast() }
    guard stack.count > 1, let last = stack.popLast() else { return }
    depth = last.depth
  }

  // MARK: Bindings

  private mutating func add(_ name: String, at position: Int, _ value: Value) {
    places[Key(scope: current, name: name), default: []].append(bindings.count)
    bindings.append(Binding(name: name, scope: current, position: position, value: value))
  }

  /// Adds a parameter or generic parameter, if the identifier at an index is one.
  private mutating func readParameter(_ index: Int) {
    guard let last = stack.last, !last.isOpen, last.declaresParameters, depth <= last.depth + 1,
      text.mark(index + 1) == ASCII.colon, let name = text.identifier(index)
    else { return }
    if let before = text.identifier(index - 1), Self.types.contains(before) { return }
    add(name, at: index, .type(index + 2))
  }

  private mutating func readVariable(_ index: Int) {
    if text.mark(index) == ASCII.openParenthesis { return hide(from: index + 1) }
    guard let name = text.identifier(index) else { return }
    if text.mark(index + 1) == ASCII.colon {
      add(name, at: index, .type(index + 2))
    } else if text.assigns(index + 1) {
      add(name, at: index, .expression(index + 2))
    } else if text.mark(index + 1) == ASCII.closeParenthesis {
      // A pattern, as in `case .loaded(let client)`.
      add(name, at: index, .unknown)
    }
  }

  /// Adds the variable of a loop.
  private mutating func readElement(_ start: Int) {
    var index = start
    var isAwaited = false
    while let word = text.identifier(index), ["try", "await", "case", "let", "var"].contains(word) {
      isAwaited = isAwaited || word == "await"
      index += 1
    }
    if text.mark(index) == ASCII.openParenthesis { return hide(from: index + 1) }
    guard let name = text.identifier(index) else { return }
    if text.mark(index + 1) == ASCII.colon {
      add(name, at: index, .type(index + 2))
    } else {
      let isSequence = !isAwaited && text.identifier(index + 1) == "in"
      add(name, at: index, isSequence ? .expression(index + 2) : .unknown)
    }
  }

  /// Adds the names of a tuple, whose types are not known.
  private mutating func hide(from start: Int) {
    var index = start
    while index < start + 32, text.mark(index) != ASCII.closeParenthesis, index < text.lexemes.count {
      if let name = text.identifier(index) { add(name, at: index, .unknown) }
      index += 1
    }
  }

  /// Adds what a closure captures under another name, and its parameters.
  private mutating func readClosure(_ start: Int) {
    var index = start
    if text.mark(index) == ASCII.openBracket {
      while index < start + 64, text.mark(index) != ASCII.closeBracket {
        if let name = text.identifier(index), text.assigns(index + 1) {
          add(name, at: index, .expression(index + 2))
        }
        index += 1
      }
      index += 1
    }
    var found: [(name: String, index: Int, value: Value)] = []
    let end = index + 48
    while index < end, let kind = text.kind(index), kind != .name("in") {
      switch kind {
      case .mark(ASCII.openBrace), .mark(ASCII.closeBrace), .mark(ASCII.semicolon), .mark(ASCII.equals):
        return
      case .name(let name), .quotedName(let name):
        if text.mark(index + 1) == ASCII.colon {
          found.append((name, index, .type(index + 2)))
        } else if let mark = text.mark(index + 1),
          [ASCII.comma, ASCII.closeParenthesis].contains(mark), text.mark(index - 1) != ASCII.colon
        {
          found.append((name, index, .unknown))
        } else if text.kind(index + 1) == .name("in") {
          found.append((name, index, .unknown))
        }
      default: break
      }
      index += 1
    }
    guard text.kind(index) == .name("in") else { return }
    for (name, place, value) in found { add(name, at: place, value) }
  }
}
