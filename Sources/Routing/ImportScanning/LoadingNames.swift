/// What the names in a module stand for: managers, clients, and what they hand over.
///
/// A name is looked up as in Swift: in its own scope and those around it, in the type's other declarations
/// and what it inherits from, and at the top level of the module's files.
struct LoadingNames {
  enum Role: Sendable, Hashable {
    case manager, client, pages, pager
  }

  /// A use of one of the ways to take a load.
  struct Finding {
    var way: HandOver
    var name: String
    var line: Int
    var column: Int
  }

  /// What is known of an expression; what has no meaning is declared nowhere.
  private enum Meaning: Hashable {
    case role(Role)
    case type(String)
    case other
  }

  private struct Place: Hashable {
    var file: Int
    var binding: Int
  }

  private struct Member: Hashable {
    var owner: String
    var name: String
  }

  /// The methods of a client, each of which is awaited or iterated over.
  private static let clientLoads: Set<String> = ["download", "load", "stream", "updates"]
  /// The forms of a response, which only a caller who awaits the load names.
  private static let forms: Set<String> = ["file", "output", "reformed", "response", "stream"]
  /// What returns elements of a collection as they are.
  private static let elements: Set<String> = [
    "first", "last", "popLast", "randomElement", "removeFirst", "removeLast", "reversed", "values",
  ]
  /// The members by which one of the ways is taken.
  private static let telling = clientLoads.union(["changes", "items", "list", "state"])
  /// The maximum number of declarations that are followed from one name to what it stands for.
  private static let steps = 32
  /// The maximum number of nested scopes in which a name is looked up.
  private static let nesting = 64

  private let files: [NameScopes]
  /// The number of files of the module itself, which come first.
  private let own: Int
  private var roles: [String: Role] = [:]
  private let delegateTypes: Set<String>
  private let stateTypes: Set<String>
  private var aliases: [String: String] = [:]
  private var bases: [String: [String]] = [:]
  private var members: [Member: [Place]] = [:]
  private var globals: [String: [Place]] = [:]
  /// The variables of all types and files of the module.
  private var named: [String: [Place]] = [:]
  private var known: [Place: Meaning] = [:]

  init(_ outlines: [SourceOutline], using shared: [SourceOutline]) {
    files = (outlines + shared).map { NameScopes($0.lexemes) }
    own = outlines.count
    let declarations = (outlines + shared).flatMap(\.declarations)
    var renamed: [String: [String]] = [:]
    var heirs: [String: [String]] = [:]
    for declaration in declarations {
      for base in declaration.bases {
        if declaration.kind == .alias { renamed[base, default: []].append(declaration.name) }
        // A protocol that refines the delegate's hands over in the same way.
        if declaration.kind == .alias || declaration.kind == .protocol {
          heirs[base, default: []].append(declaration.name)
        }
      }
      if declaration.kind == .alias {
        aliases[declaration.name] = declaration.bases.last
      } else {
        bases[declaration.name, default: []] += declaration.bases
      }
    }
    delegateTypes = SourceOutline.closure(of: ["APIManagerDelegate"], in: heirs)
    stateTypes = SourceOutline.closure(of: ["LoadState", "PagedList"], in: renamed)
    let types: [(Set<String>, Role)] = [
      (["APIManager", "APIManaging"], .manager), (["APIClient"], .client), (["PagedItems"], .pages),
      (["Pager"], .pager),
    ]
    for (names, role) in types {
      for name in SourceOutline.closure(of: names, in: role == .manager ? heirs : renamed) {
        roles[name] = role
      }
    }
    for (file, scopes) in files.enumerated() {
      for (index, binding) in scopes.bindings.enumerated() {
        let place = Place(file: file, binding: index)
        let scope = scopes.scopes[binding.scope]
        if let type = scope.type {
          members[Member(owner: type, name: binding.name), default: []].append(place)
        } else if binding.scope == 0 {
          globals[binding.name, default: []].append(place)
        } else {
          continue
        }
        if file < own { named[binding.name, default: []].append(place) }
      }
    }
  }

  /// Returns the uses of the ways in one of the module's files, in source order.
  mutating func findings(in outline: SourceOutline, ofFile file: Int) -> [Finding] {
    var findings: [Finding] = []
    for use in outline.uses {
      guard let way = way(ofType: use.name) else { continue }
      findings.append(Finding(way: way, name: use.name, line: use.line, column: use.column))
    }
    let text = files[file].text
    for index in text.lexemes.indices where text.identifier(index) != nil {
      if text.mark(index - 1) == ASCII.dot, text.mark(index - 2) != ASCII.dot { continue }
      if ["try", "await"].contains(text.identifier(index)) { continue }
      if let finding = finding(from: index, file) { findings.append(finding) }
    }
    return findings.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  private func way(ofType name: String) -> HandOver? {
    if delegateTypes.contains(name) { return .delegate }
    return stateTypes.contains(name) ? .state : nil
  }

  /// Returns what the expression from an index on takes, if it takes a load.
  private mutating func finding(from start: Int, _ file: Int) -> Finding? {
    let text = files[file].text
    let isIterated = text.isIterated(start)
    let isAwaited = text.identifier(start - 1) == "await"
    let first = text.chain(at: start).steps
    guard isIterated || isAwaited || first.dropFirst().contains(where: { Self.telling.contains($0.name) })
    else { return nil }
    var meaning = self.meaning(of: first, upTo: 1, file, 0)
    for (index, step) in first.enumerated() {
      var way: HandOver?
      if index > 0 {
        switch (meaning, step.name) {
        case (.role(.manager), "state"), (.role(.pager), "list"), (.role(.pager), "changes"): way = .state
        case (.role(.manager), "load") where text.isAwaited(load: step.index, from: start, Self.forms):
          way = .async
        case (.role(.client), let name) where Self.clientLoads.contains(name): way = .async
        default: break
        }
        if way == nil { meaning = self.meaning(of: first, upTo: index + 1, file, 0) }
      }
      if way == nil, meaning == .role(.pages), isIterated || isAwaited && index + 1 < first.count {
        way = .async
      }
      guard let way else { continue }
      let name = index > 0 ? "\(first[index - 1].name).\(step.name)" : step.name
      let lexeme = text.lexemes[step.index]
      return Finding(way: way, name: name, line: lexeme.line, column: lexeme.column)
    }
    return nil
  }

  // MARK: What a name stands for

  /// Returns what the first steps of an expression stand for.
  private mutating func meaning(
    of steps: [LexemeList.Step], upTo count: Int, _ file: Int, _ depth: Int
  ) -> Meaning? {
    guard let first = steps.first else { return .other }
    var meaning: Meaning?
    if first.name == "self" || first.name == "Self" {
      meaning = enclosingType(at: first.index, file).map { .type($0) }
    } else {
      meaning = self.meaning(ofName: first.name, at: first.index, file, depth)
      if meaning == nil, first.name.first?.isUppercase == true { meaning = self.meaning(ofType: first.name) }
    }
    for step in steps.prefix(count).dropFirst() {
      switch meaning {
      case .role(.manager) where step.name == "items", .role(.client) where step.name == "items":
        meaning = .role(.pages)
      case .role where Self.elements.contains(step.name): break
      case .type(let owner):
        if ["init", "self"].contains(step.name) { continue }
        meaning = member(step.name, of: owner, depth) ?? (isDeclared(owner) ? nil : .other)
      case .role, .other: meaning = .other
      case nil: meaning = agreed(named[step.name] ?? [], depth)
      }
    }
    return meaning
  }

  private func isDeclared(_ type: String) -> Bool { bases[type] != nil }

  /// Returns a scope and those around it, innermost first.
  private func scopes(around scope: Int, _ file: Int) -> [Int] {
    var found: [Int] = []
    var next: Int? = scope
    while let scope = next, found.count < Self.nesting {
      found.append(scope)
      next = files[file].scopes[scope].parent
    }
    return found
  }

  private func enclosingType(at index: Int, _ file: Int) -> String? {
    scopes(around: files[file].scopeAt[index], file).lazy.compactMap { self.files[file].scopes[$0].type }
      .first
  }

  private func meaning(ofType name: String) -> Meaning {
    var name = name
    for _ in 0..<Self.steps {
      if let role = roles[name] { return .role(role) }
      guard let alias = aliases[name] else { break }
      name = alias
    }
    return .type(name)
  }

  /// Returns what a name that is used at an index stands for; the nearest declaration decides.
  private mutating func meaning(
    ofName name: String, at position: Int, _ file: Int, _ depth: Int
  ) -> Meaning? {
    guard depth < Self.steps else { return .other }
    let scopes = files[file]
    let around = self.scopes(around: scopes.scopeAt[position], file)
    for place in around {
      let found = scopes.places[NameScopes.Key(scope: place, name: name)] ?? []
      let type = scopes.scopes[place].type
      let before = found.last { scopes.bindings[$0].position < position }
      if type == nil, place != 0 || before != nil, let before {
        return meaning(of: Place(file: file, binding: before), depth + 1)
      }
      if type != nil || place == 0,
        let meaning = agreed(found.map { Place(file: file, binding: $0) }, depth)
      {
        return meaning
      }
      if let type, let meaning = member(name, of: type, depth) { return meaning }
    }
    guard around.last == 0 else { return .other }
    return agreed((globals[name] ?? []).filter { $0.file < own }, depth)
  }

  /// Returns what a member of a type stands for, which the type or what it inherits from declares.
  private mutating func member(_ name: String, of type: String, _ depth: Int) -> Meaning? {
    var rest = [type]
    var seen: Set<String> = [type]
    while let owner = rest.popLast(), seen.count <= Self.steps {
      if let meaning = agreed(members[Member(owner: owner, name: name)] ?? [], depth) { return meaning }
      for base in (bases[owner] ?? []) + [aliases[owner]].compactMap(\.self)
      where seen.insert(base).inserted {
        rest.append(base)
      }
    }
    return nil
  }

  /// Returns what declarations of a name agree on; nil if there are none.
  private mutating func agreed(_ places: [Place], _ depth: Int) -> Meaning? {
    guard let first = places.first else { return nil }
    let meaning = self.meaning(of: first, depth + 1)
    for place in places.dropFirst() where self.meaning(of: place, depth + 1) != meaning { return .other }
    return meaning
  }

  private mutating func meaning(of place: Place, _ depth: Int) -> Meaning {
    if let known = known[place] { return known }
    guard depth < Self.steps else { return .other }
    // A declaration that leads back to itself has no meaning.
    known[place] = .other
    let scopes = files[place.file]
    let binding = scopes.bindings[place.binding]
    let meaning: Meaning
    switch binding.value {
    case .unknown: meaning = .other
    case .type(let index):
      meaning = self.meaning(ofTypes: scopes.text.typeNames(at: index), at: binding, place.file, depth)
    case .expression(let index):
      let (steps, end) = scopes.text.chain(at: index)
      if scopes.text.identifier(end) == "as" {
        let type = scopes.text.mark(end + 1) == nil ? end + 1 : end + 2
        meaning = self.meaning(ofTypes: scopes.text.typeNames(at: type), at: binding, place.file, depth)
      } else {
        meaning = self.meaning(of: steps, upTo: steps.count, place.file, depth + 1) ?? .other
      }
    }
    known[place] = meaning
    return meaning
  }

  private mutating func meaning(
    ofTypes names: [String], at binding: NameScopes.Binding, _ file: Int, _ depth: Int
  ) -> Meaning {
    for name in names {
      // A generic parameter stands for what it conforms to.
      let isUpper = name.first?.isUppercase == true && name != binding.name
      if isUpper, let meaning = self.meaning(ofGeneric: name, in: binding.scope, file, depth + 1) {
        return meaning
      }
      if case .role(let role) = meaning(ofType: name) { return .role(role) }
    }
    return names.last.map { meaning(ofType: $0) } ?? .other
  }

  private mutating func meaning(
    ofGeneric name: String, in scope: Int, _ file: Int, _ depth: Int
  ) -> Meaning? {
    for place in scopes(around: scope, file) {
      if let found = files[file].places[NameScopes.Key(scope: place, name: name)] {
        return agreed(found.map { Place(file: file, binding: $0) }, depth)
      }
    }
    return nil
  }
}

extension LexemeList {
  /// Whether the expression from an index on is what a loop awaits the elements of.
  fileprivate func isIterated(_ start: Int) -> Bool {
    var index = start - 1
    while let word = identifier(index), word == "try" || word == "await" { index -= 1 }
    guard kind(index) == .name("in") else { return false }
    var isAwaited = false
    for place in stride(from: index - 1, through: max(0, index - 64), by: -1) {
      switch kind(place) {
      case .name("await"): isAwaited = true
      case .name("for"): return isAwaited
      case .mark(ASCII.openBrace), .mark(ASCII.closeBrace), .mark(ASCII.semicolon): return false
      default: break
      }
    }
    return false
  }

  /// Whether a load of a manager is awaited rather than handed to the delegate.
  fileprivate func isAwaited(load: Int, from start: Int, _ forms: Set<String>) -> Bool {
    if mark(load + 1) == ASCII.openParenthesis {
      if mark(load + 2) == ASCII.dot, let form = identifier(load + 3), forms.contains(form) { return true }
      var depth = 0
      for index in lexemes.indices.dropFirst(load + 1).prefix(Self.reach) {
        if mark(index) == ASCII.openParenthesis { depth += 1 }
        if mark(index) == ASCII.closeParenthesis { depth -= 1 }
        if depth == 0 { break }
        if depth == 1, identifier(index) == "for", mark(index + 1) == ASCII.colon { return true }
      }
    }
    // The keyword precedes the expression on its line.
    for index in stride(from: start - 1, through: max(0, start - Self.reach), by: -1) {
      guard lexemes[index].line == lexemes[start].line else { break }
      switch lexemes[index].kind {
      case .name("await"): return true
      case .name("let") where identifier(index - 1) == "async": return true
      case .mark(ASCII.openBrace), .mark(ASCII.closeBrace), .mark(ASCII.semicolon): return false
      default: break
      }
    }
    return false
  }
}
