/// A way in which a module takes what managers and clients load.
public enum HandOver: String, Sendable, CaseIterable {
  /// A manager calls its `APIManagerDelegate`.
  case delegate
  /// The caller awaits a load of a manager or a client, or iterates over the updates of an API.
  case async
  /// A reader observes the `LoadState` of a manager.
  case state

  /// How a module uses it.
  var remedy: String {
    switch self {
    case .delegate: "conform to APIManagerDelegate, and call load() of the manager"
    case .async: "await load(.output) of the manager or of the client"
    case .state: "call load() of the manager, and observe its state"
    }
  }
}

/// The rule that the modules of a team take loads in one way.
public struct HandOverRule: Sendable, Hashable {
  /// The methods of a client, each of which is awaited or iterated over.
  private static let clientLoads: Set<String> = ["download", "load", "stream", "updates"]
  /// The forms of a response, which only a caller who awaits the load names.
  private static let forms: Set<String> = ["file", "output", "reformed", "response", "stream"]
  private static let managers: Set<String> = ["APIManager", "APIManaging"]
  /// The maximum number of lexemes between the parts of an expression.
  private static let reach = 512

  /// The name of the business module.
  public var module: String
  /// The one way that the module may use.
  public var permitted: HandOver

  /// Creates the rule for a business module.
  public init(module: String, permitted: HandOver) {
    self.module = module
    self.permitted = permitted
  }

  /// Returns the uses of another way, by file and position.
  ///
  /// - Parameters:
  ///   - sources: The source files of the module.
  ///   - shared: The source files of the local targets that the module uses, in which aliases are declared.
  public func violations(
    in sources: [ModuleSource], using shared: [ModuleSource] = []
  ) -> [SourceViolation] {
    let outlines = sources.map { SourceOutline($0.text) }
    let declarations = (outlines + shared.map { SourceOutline($0.text) }).flatMap(\.declarations)
    let names = LoadingNames(outlines, declarations)
    return zip(sources, outlines).flatMap { source, outline in
      names.findings(in: outline).filter { $0.way != permitted }.map { finding in
        SourceViolation(
          source.path, line: finding.line, column: finding.column,
          "module '\(module)': '\(finding.name)' takes a load by \(finding.way.rawValue), and only "
            + "\(permitted.rawValue) is permitted; \(permitted.remedy)")
      }
    }
  }

  private struct Finding {
    var way: HandOver
    var name: String
    var line: Int
    var column: Int
  }

  /// The names in a module that stand for managers, clients and what they hand over.
  private struct LoadingNames {
    private var managers: Set<String> = []
    private var clients: Set<String> = []
    private let managerTypes: Set<String>
    private let clientTypes: Set<String>
    private let delegateTypes: Set<String>
    private let stateTypes: Set<String>

    init(_ outlines: [SourceOutline], _ declarations: [SourceOutline.Declaration]) {
      var aliases: [String: [String]] = [:]
      for declaration in declarations where declaration.kind == .alias {
        for base in declaration.bases { aliases[base, default: []].append(declaration.name) }
      }
      // A protocol that refines the delegate's hands over in the same way.
      var heirs = aliases
      for declaration in declarations where declaration.kind == .protocol {
        for base in declaration.bases { heirs[base, default: []].append(declaration.name) }
      }
      managerTypes = Self.closure(of: HandOverRule.managers, in: aliases)
      clientTypes = Self.closure(of: ["APIClient"], in: aliases)
      delegateTypes = Self.closure(of: ["APIManagerDelegate"], in: heirs)
      stateTypes = Self.closure(of: ["LoadState"], in: aliases)
      for outline in outlines {
        for index in outline.lexemes.indices {
          guard let type = Self.identifier(outline.lexemes, index) else { continue }
          let isManager = managerTypes.contains(type)
          guard isManager || clientTypes.contains(type),
            let variable = Self.variable(outline.lexemes, ofTypeAt: index)
          else { continue }
          if isManager { managers.insert(variable) } else { clients.insert(variable) }
        }
      }
      // A copy under another name, as in `let rates = self.manager`.
      for outline in outlines {
        for index in outline.lexemes.indices {
          guard let name = Self.identifier(outline.lexemes, index),
            managers.contains(name) || clients.contains(name),
            let copy = Self.copy(outline.lexemes, ofNameAt: index)
          else { continue }
          if managers.contains(name) { managers.insert(copy) } else { clients.insert(copy) }
        }
      }
    }

    /// Returns the uses of managers and clients in a source text, in source order.
    func findings(in outline: SourceOutline) -> [Finding] {
      var findings: [Finding] = []
      for use in outline.uses {
        guard let way = self.way(ofType: use.name) else { continue }
        findings.append(Finding(way: way, name: use.name, line: use.line, column: use.column))
      }
      for index in outline.lexemes.indices {
        if let finding = self.finding(outline.lexemes, at: index) { findings.append(finding) }
      }
      return findings.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    private func way(ofType name: String) -> HandOver? {
      if delegateTypes.contains(name) { return .delegate }
      return stateTypes.contains(name) ? .state : nil
    }

    /// Returns what a member of a manager or a client hands over.
    private func finding(_ lexemes: [Lexeme], at index: Int) -> Finding? {
      guard let name = Self.identifier(lexemes, index), Self.mark(lexemes, index - 1) == ASCII.dot,
        name == "state" || HandOverRule.clientLoads.contains(name),
        let start = Self.receiver(lexemes, before: index - 1),
        let receiver = Self.identifier(lexemes, start)
      else { return nil }
      let way: HandOver
      if managers.contains(receiver) || managerTypes.contains(receiver) {
        guard name == "state" || name == "load" && Self.isAwaited(lexemes, at: index, from: start) else {
          return nil
        }
        way = name == "state" ? .state : .async
      } else {
        guard clients.contains(receiver) || clientTypes.contains(receiver), name != "state" else {
          return nil
        }
        way = .async
      }
      return Finding(
        way: way, name: "\(receiver).\(name)", line: lexemes[index].line, column: lexemes[index].column)
    }

    // MARK: Reading lexemes

    private static func closure(of names: Set<String>, in dependents: [String: [String]]) -> Set<String> {
      var found = names
      var rest = Array(names)
      while let name = rest.popLast() {
        for dependent in dependents[name] ?? [] where found.insert(dependent).inserted {
          rest.append(dependent)
        }
      }
      return found
    }

    private static func identifier(_ lexemes: [Lexeme], _ index: Int) -> String? {
      guard lexemes.indices.contains(index) else { return nil }
      switch lexemes[index].kind {
      case .name(let name), .quotedName(let name): return name
      default: return nil
      }
    }

    private static func mark(_ lexemes: [Lexeme], _ index: Int) -> UInt8? {
      guard lexemes.indices.contains(index), case .mark(let byte) = lexemes[index].kind else { return nil }
      return byte
    }

    /// Returns the variable that is declared with, or set to, the type at an index, or the function that
    /// returns it.
    private static func variable(_ lexemes: [Lexeme], ofTypeAt index: Int) -> String? {
      var before = index - 1
      while before >= 0 {
        switch lexemes[before].kind {
        case .name("any"), .name("some"), .name("await"), .name("try"), .name("borrowing"), .name("sending"),
          .name("isolated"):
          before -= 1
        case .mark(ASCII.dot):
          before -= 2
        case .mark(ASCII.openBracket), .mark(ASCII.openParenthesis), .mark(ASCII.exclamation),
          .mark(ASCII.question):
          before -= 1
        case .mark(ASCII.colon), .mark(ASCII.equals): return identifier(lexemes, before - 1)
        case .mark(ASCII.greaterThan) where mark(lexemes, before - 1) == ASCII.hyphen:
          return function(lexemes, before: before - 1)
        default: return nil
        }
      }
      return nil
    }

    /// Returns the name of the function whose arrow is at an index.
    private static func function(_ lexemes: [Lexeme], before arrow: Int) -> String? {
      var depth = 0
      for index in stride(from: arrow - 1, through: max(0, arrow - HandOverRule.reach), by: -1) {
        switch lexemes[index].kind {
        case .mark(ASCII.closeParenthesis): depth += 1
        case .mark(ASCII.openParenthesis): depth -= 1
        case .mark(ASCII.openBrace), .mark(ASCII.closeBrace): return nil
        case .name("func") where depth == 0: return identifier(lexemes, index + 1)
        default: break
        }
      }
      return nil
    }

    /// Returns the name to which the variable at an index is assigned by itself.
    private static func copy(_ lexemes: [Lexeme], ofNameAt index: Int) -> String? {
      if let next = mark(lexemes, index + 1), [ASCII.dot, ASCII.openParenthesis].contains(next) {
        return nil
      }
      var before = index - 1
      if mark(lexemes, before) == ASCII.dot, identifier(lexemes, before - 1) != nil { before -= 2 }
      guard mark(lexemes, before) == ASCII.equals else { return nil }
      return identifier(lexemes, before - 1)
    }

    /// Returns the index of the name on which the member after a dot is called, or of the function whose
    /// result it is.
    private static func receiver(_ lexemes: [Lexeme], before dot: Int) -> Int? {
      var index = dot - 1
      while let byte = mark(lexemes, index), byte == ASCII.question || byte == ASCII.exclamation {
        index -= 1
      }
      if mark(lexemes, index) == ASCII.closeParenthesis {
        var depth = 0
        while index >= max(0, dot - HandOverRule.reach) {
          if mark(lexemes, index) == ASCII.closeParenthesis { depth += 1 }
          if mark(lexemes, index) == ASCII.openParenthesis { depth -= 1 }
          index -= 1
          if depth == 0 { break }
        }
        if mark(lexemes, index) == ASCII.greaterThan {
          while index >= max(0, dot - HandOverRule.reach), mark(lexemes, index) != ASCII.lessThan {
            index -= 1
          }
          index -= 1
        }
      }
      return identifier(lexemes, index) == nil ? nil : index
    }

    /// Whether a load of a manager is awaited rather than handed to the delegate.
    private static func isAwaited(_ lexemes: [Lexeme], at load: Int, from receiver: Int) -> Bool {
      if mark(lexemes, load + 1) == ASCII.openParenthesis {
        if mark(lexemes, load + 2) == ASCII.dot, let form = identifier(lexemes, load + 3),
          HandOverRule.forms.contains(form)
        {
          return true
        }
        var depth = 0
        for index in lexemes.indices.dropFirst(load + 1).prefix(HandOverRule.reach) {
          if mark(lexemes, index) == ASCII.openParenthesis { depth += 1 }
          if mark(lexemes, index) == ASCII.closeParenthesis { depth -= 1 }
          if depth == 0 { break }
          if depth == 1, identifier(lexemes, index) == "for", mark(lexemes, index + 1) == ASCII.colon {
            return true
          }
        }
      }
      // The keyword precedes the expression on its line.
      for index in stride(from: receiver - 1, through: max(0, receiver - HandOverRule.reach), by: -1) {
        guard lexemes[index].line == lexemes[receiver].line else { break }
        switch lexemes[index].kind {
        case .name("await"): return true
        case .name("let") where identifier(lexemes, index - 1) == "async": return true
        case .mark(ASCII.openBrace), .mark(ASCII.closeBrace), .mark(ASCII.semicolon): return false
        default: break
        }
      }
      return false
    }
  }
}
