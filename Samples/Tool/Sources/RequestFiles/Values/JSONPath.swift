/// A JSONPath expression (RFC 9535), with its filters and functions.
struct JSONPath: Sendable {
  /// Why an expression can't be used.
  struct Fault: Error, Sendable, Hashable {
    let reason: String
    /// The index of the scalar in the expression.
    let offset: Int
  }

  /// The maximum number of nodes that an expression visits.
  static let maximumVisits = 5_000_000

  enum Selector: Sendable {
    case name(String)
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int)
    case wildcard
    case filter(Condition)
  }

  struct Segment: Sendable {
    let selectors: [Selector]
    let isDescendant: Bool
  }

  indirect enum Condition: Sendable {
    case either(Condition, Condition)
    case both(Condition, Condition)
    case not(Condition)
    case comparison(Term, Comparison, Term)
    /// True if a query finds something, or a function is true.
    case exists(Term)
  }

  enum Comparison: String, Sendable, CaseIterable {
    case equal = "=="
    case unequal = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }

  indirect enum Term: Sendable {
    case literal(Value)
    case query(isFromRoot: Bool, [Segment])
    case function(Function, [Term])
  }

  enum Function: String, Sendable {
    case length
    case count
    case value
    case match
    case search

    var parameterCount: Int { self == .match || self == .search ? 2 : 1 }
  }

  let segments: [Segment]

  /// Parses an expression.
  init(_ text: String) throws(Fault) {
    var parser = JSONPathParser(Array(text.unicodeScalars))
    segments = try parser.path()
  }
}

/// Parses the text of a JSONPath expression.
private struct JSONPathParser {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private func fault(_ reason: String) -> JSONPath.Fault { JSONPath.Fault(reason: reason, offset: index) }

  private mutating func skipSpace() {
    while let scalar = next, scalar == " " || scalar == "\t" || scalar == "\n" { index += 1 }
  }

  private mutating func take(_ text: String) -> Bool {
    guard scalars[index...].starts(with: text.unicodeScalars) else { return false }
    index += text.unicodeScalars.count
    return true
  }

  mutating func path() throws(JSONPath.Fault) -> [JSONPath.Segment] {
    guard take("$") else { throw fault("a JSONPath begins with $") }
    let segments = try segments()
    skipSpace()
    guard next == nil else { throw fault("a segment begins with a dot or a bracket") }
    return segments
  }

  private mutating func segments() throws(JSONPath.Fault) -> [JSONPath.Segment] {
    var segments: [JSONPath.Segment] = []
    while true {
      let isDescendant = take("..")
      if next == "[" {
        segments.append(.init(selectors: try bracket(), isDescendant: isDescendant))
      } else if isDescendant || take(".") {
        // As with hurl, a bracket can follow a dot.
        let selectors = next == "[" ? try bracket() : [try shorthand()]
        segments.append(.init(selectors: selectors, isDescendant: isDescendant))
      } else {
        return segments
      }
    }
  }

  private mutating func shorthand() throws(JSONPath.Fault) -> JSONPath.Selector {
    if take("*") { return .wildcard }
    let name = scalars[index...].prefix {
      $0 == "_" || $0 == "-" || ("0"..."9").contains($0) || $0.properties.isAlphabetic || !$0.isASCII
    }
    guard let first = name.first, first != "-", !("0"..."9").contains(first) else {
      throw fault("a dot is followed by a name or *; write other names as ['name']")
    }
    index += name.count
    return .name(String(String.UnicodeScalarView(name)))
  }

  private mutating func bracket() throws(JSONPath.Fault) -> [JSONPath.Selector] {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 50 else { throw fault("it is nested more than 50 deep") }
    index += 1
    var selectors: [JSONPath.Selector] = []
    repeat {
      skipSpace()
      selectors.append(try selector())
      skipSpace()
    } while take(",")
    guard take("]") else { throw fault("a bracket has no end, or a selector is not known") }
    return selectors
  }

  private mutating func selector() throws(JSONPath.Fault) -> JSONPath.Selector {
    switch next {
    case "'", "\"": return .name(try quoted())
    case "*":
      index += 1
      return .wildcard
    case "?":
      index += 1
      return .filter(try condition())
    default:
      let start = number()
      skipSpace()
      guard take(":") else {
        guard let start else {
          throw fault(
            "a bracket contains an index, a slice, a name in quotes, * or a filter that begins with ?")
        }
        return .index(start)
      }
      skipSpace()
      let end = number()
      skipSpace()
      guard take(":") else { return .slice(start: start, end: end, step: 1) }
      skipSpace()
      return .slice(start: start, end: end, step: number() ?? 1)
    }
  }

  private mutating func number() -> Int? {
    let start = index
    _ = take("-")
    index += scalars[index...].prefix { ("0"..."9").contains($0) }.count
    guard index - start <= 16, let number = Int(String(String.UnicodeScalarView(scalars[start..<index])))
    else {
      index = start
      return nil
    }
    return number
  }

  private mutating func quoted() throws(JSONPath.Fault) -> String {
    let quote = next
    index += 1
    var text = String.UnicodeScalarView()
    while let scalar = next, scalar != quote {
      index += 1
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      guard let escaped = next else { break }
      index += 1
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "b": text.append("\u{8}")
      case "f": text.append("\u{C}")
      case "u":
        let digits = scalars[index...].prefix(4)
        guard let code = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
          let scalar = Unicode.Scalar(code), digits.count == 4
        else { throw fault("an escape has no code such as \\u00E9") }
        index += 4
        text.append(scalar)
      default: text.append(escaped)
      }
    }
    guard next == quote else { throw fault("a name in quotes has no end") }
    index += 1
    return String(text)
  }

  // MARK: Filters

  private mutating func condition() throws(JSONPath.Fault) -> JSONPath.Condition {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 50 else { throw fault("it is nested more than 50 deep") }
    var left = try conjunction()
    skipSpace()
    while take("||") {
      left = .either(left, try conjunction())
      skipSpace()
    }
    return left
  }

  private mutating func conjunction() throws(JSONPath.Fault) -> JSONPath.Condition {
    var left = try basic()
    skipSpace()
    while take("&&") {
      left = .both(left, try basic())
      skipSpace()
    }
    return left
  }

  private mutating func basic() throws(JSONPath.Fault) -> JSONPath.Condition {
    skipSpace()
    var isNegated = false
    while next == "!" {
      index += 1
      isNegated.toggle()
      skipSpace()
    }
    let condition: JSONPath.Condition
    if take("(") {
      condition = try self.condition()
      skipSpace()
      guard take(")") else { throw fault("a parenthesis has no end") }
    } else {
      condition = try comparison()
    }
    return isNegated ? .not(condition) : condition
  }

  private mutating func comparison() throws(JSONPath.Fault) -> JSONPath.Condition {
    let left = try term()
    skipSpace()
    for comparison in JSONPath.Comparison.allCases where take(comparison.rawValue) {
      skipSpace()
      return .comparison(left, comparison, try term())
    }
    if case .literal = left { throw fault("a literal is compared with nothing") }
    return .exists(left)
  }

  private mutating func term() throws(JSONPath.Fault) -> JSONPath.Term {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 50 else { throw fault("it is nested more than 50 deep") }
    skipSpace()
    switch next {
    case "@", "$":
      let isFromRoot = next == "$"
      index += 1
      return .query(isFromRoot: isFromRoot, try segments())
    case "'", "\"": return .literal(.text(try quoted()))
    default: break
    }
    let start = index
    index +=
      scalars[index...].prefix { $0.properties.isAlphabetic || "+-._0123456789".unicodeScalars.contains($0) }
      .count
    let word = String(String.UnicodeScalarView(scalars[start..<index]))
    switch word {
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case "null": return .literal(.null)
    default: break
    }
    if let number = Value.number(word) { return .literal(number) }
    guard let function = JSONPath.Function(rawValue: word), take("(") else {
      index = start
      throw fault("a filter compares @, $, a literal or length(), count(), value(), match(), search()")
    }
    var arguments: [JSONPath.Term] = []
    repeat {
      arguments.append(try term())
      skipSpace()
    } while take(",")
    guard take(")"), arguments.count == function.parameterCount else {
      throw fault("\(word)() has \(function.parameterCount == 1 ? "one argument" : "two arguments")")
    }
    return .function(function, arguments)
  }
}
