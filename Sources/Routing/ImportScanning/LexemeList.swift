/// The lexemes of a source text, with what can be read of types and expressions at an index.
struct LexemeList: Sendable {
  /// A name in an expression such as `self.manager`, with its index.
  struct Step: Sendable, Hashable {
    var name: String
    var index: Int
  }

  /// The maximum number of lexemes between the parts of an expression.
  static let reach = 512
  private static let wrappers: Set<String> = ["Array", "ContiguousArray", "Optional", "Set"]
  private static let specifiers: Set<String> = [
    "any", "borrowing", "consuming", "inout", "isolated", "sending", "some",
  ]

  let lexemes: [Lexeme]

  init(_ lexemes: [Lexeme]) { self.lexemes = lexemes }

  func kind(_ index: Int) -> Lexeme.Kind? { lexemes.indices.contains(index) ? lexemes[index].kind : nil }

  func identifier(_ index: Int) -> String? {
    switch kind(index) {
    case .name(let name), .quotedName(let name): name
    default: nil
    }
  }

  func mark(_ index: Int) -> UInt8? {
    guard case .mark(let byte) = kind(index) else { return nil }
    return byte
  }

  func startsLine(_ index: Int) -> Bool { index > 0 && lexemes[index].line > lexemes[index - 1].line }

  /// Whether the lexeme at an index is the operator that assigns.
  func assigns(_ index: Int) -> Bool { mark(index) == ASCII.equals && mark(index + 1) != ASCII.equals }

  /// Whether a lexeme is a mark that directly follows the previous lexeme.
  private func attached(_ index: Int) -> UInt8? {
    guard let byte = mark(index), lexemes[index].touchesPrevious else { return nil }
    return byte
  }

  private func isArrow(_ index: Int) -> Bool {
    mark(index) == ASCII.hyphen && mark(index + 1) == ASCII.greaterThan
  }

  /// Returns the index after the mark that closes the one at an index; nil if it is not within reach.
  private func end(of open: UInt8, at start: Int, by close: UInt8) -> Int? {
    var depth = 0
    for index in start..<max(start, min(lexemes.count, start + Self.reach)) {
      if mark(index) == open { depth += 1 }
      if mark(index) == close, !(close == ASCII.greaterThan && mark(index - 1) == ASCII.hyphen) { depth -= 1 }
      if depth == 0 { return index + 1 }
    }
    return nil
  }

  /// Returns the index of the type that a function returns.
  func result(ofFunctionNamedAt name: Int) -> Int? {
    var index = name + 1
    if mark(index) == ASCII.lessThan {
      guard let end = end(of: ASCII.lessThan, at: index, by: ASCII.greaterThan) else { return nil }
      index = end
    }
    while mark(index) == ASCII.openParenthesis || ["async", "throws", "rethrows"].contains(identifier(index))
    {
      if identifier(index) != nil {
        index += 1
      } else {
        guard let end = end(of: ASCII.openParenthesis, at: index, by: ASCII.closeParenthesis) else {
          return nil
        }
        index = end
      }
    }
    return isArrow(index) ? index + 2 : nil
  }

  /// Returns the names of the type at an index: those of a composition, of the elements of a collection, or
  /// of what a function returns.
  func typeNames(at start: Int) -> [String] {
    var names: [String] = []
    var index = start
    var isInBrackets = false
    let limit = start + 64
    while index < limit, let kind = kind(index) {
      switch kind {
      case .name(let word) where Self.specifiers.contains(word): index += 1
      case .mark(ASCII.at): index += 2
      case .mark(ASCII.openBracket):
        isInBrackets = true
        index += 1
      case .mark(ASCII.openParenthesis), .mark(ASCII.ampersand): index += 1
      case .mark(ASCII.closeParenthesis), .mark(ASCII.closeBracket), .mark(ASCII.question),
        .mark(ASCII.exclamation):
        index += 1
        guard isArrow(index) || mark(index) == ASCII.ampersand || closes(index) else { return names }
      case .mark(ASCII.hyphen) where isArrow(index):
        names = []
        index += 2
      case .mark(ASCII.colon) where isInBrackets:
        // The key of a dictionary.
        (names, isInBrackets) = ([], false)
        index += 1
      case .name(let name), .quotedName(let name):
        index += 1
        if mark(index) == ASCII.dot, identifier(index + 1) != nil {
          index += 1
          continue
        }
        if mark(index) == ASCII.lessThan {
          if Self.wrappers.contains(name) {
            index += 1
            continue
          }
          guard let end = end(of: ASCII.lessThan, at: index, by: ASCII.greaterThan) else {
            return names + [name]
          }
          index = end
        }
        names.append(name)
        let goesOn = mark(index) == ASCII.ampersand || isArrow(index) || closes(index)
        guard goesOn || isInBrackets && mark(index) == ASCII.colon else { return names }
      default: return names
      }
    }
    return names
  }

  private func closes(_ index: Int) -> Bool {
    guard let mark = mark(index) else { return false }
    return [ASCII.closeParenthesis, ASCII.closeBracket, ASCII.question, ASCII.exclamation].contains(mark)
  }

  /// Returns the names of an expression from an index on, such as `self`, `managers` and `first` in
  /// `try self.managers[0].first?`, and the index after it.
  func chain(at start: Int) -> (steps: [Step], end: Int) {
    var steps: [Step] = []
    var index = start
    while index < start + 8, steps.isEmpty {
      guard let kind = kind(index) else { break }
      switch kind {
      case .name("try"), .name("await"), .mark(ASCII.openBracket), .mark(ASCII.openParenthesis): index += 1
      case .mark(ASCII.question) where identifier(index - 1) == "try": index += 1
      case .mark(ASCII.exclamation) where identifier(index - 1) == "try": index += 1
      case .name(let name), .quotedName(let name):
        steps.append(Step(name: name, index: index))
        index = afterCalls(index + 1)
      default: return ([], index)
      }
    }
    while steps.count < Self.reach, mark(index) == ASCII.dot, let name = identifier(index + 1) {
      steps.append(Step(name: name, index: index + 1))
      index = afterCalls(index + 2)
    }
    return (steps, index)
  }

  /// Skips the arguments, subscripts and marks of optionals after a name.
  private func afterCalls(_ start: Int) -> Int {
    var index = start
    while let byte = attached(index) {
      let end: Int? =
        switch byte {
        case ASCII.openParenthesis: end(of: byte, at: index, by: ASCII.closeParenthesis)
        case ASCII.openBracket: end(of: byte, at: index, by: ASCII.closeBracket)
        case ASCII.question, ASCII.exclamation: index + 1
        case ASCII.lessThan: afterArguments(index)
        default: nil
        }
      guard let end else { break }
      index = end
    }
    return index
  }

  /// Returns the index after generic arguments, which a call or a member follows.
  private func afterArguments(_ start: Int) -> Int? {
    guard let end = end(of: ASCII.lessThan, at: start, by: ASCII.greaterThan),
      let next = mark(end), next == ASCII.openParenthesis || next == ASCII.dot
    else { return nil }
    return end
  }
}
