/// Parses the text of a pattern.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0
  private var flags = Flags()
  /// The number of groups that capture, with the whole match.
  private(set) var groupCount = 1

  private struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotMatchesLineEnd = false
  }

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private func fault(_ reason: String) -> Pattern.Fault { Pattern.Fault(reason: reason, offset: index) }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  /// Returns the structure of the whole pattern.
  mutating func tree() throws(Pattern.Fault) -> PatternTree {
    let tree = try choice()
    guard next == nil else { throw fault("a parenthesis closes nothing; escape it as \\)") }
    return tree
  }

  private mutating func choice() throws(Pattern.Fault) -> PatternTree {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 100 else { throw fault("groups are nested more than 100 deep") }
    var choices: [PatternTree] = []
    // Flags that a group sets end with it.
    let outerFlags = flags
    defer { flags = outerFlags }
    repeat { choices.append(try sequence()) } while take("|")
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(Pattern.Fault) -> PatternTree {
    var items: [PatternTree] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      let item = try self.item(scalar)
      items.append(try repeated(item))
    }
    return items.count == 1 ? items[0] : .sequence(items)
  }

  private mutating func item(_ scalar: Unicode.Scalar) throws(Pattern.Fault) -> PatternTree {
    switch scalar {
    case "(": return try group()
    case "[": return .set(try bracket())
    case "\\": return try escape()
    case ".":
      index += 1
      return .set(
        ScalarSet(
          ranges: flags.dotMatchesLineEnd ? [] : [UInt32(10)...10], isNegated: true))
    case "^":
      index += 1
      return .check(flags.isMultiline ? .lineStart : .textStart)
    case "$":
      index += 1
      return .check(flags.isMultiline ? .lineEnd : .textEnd)
    case "*", "+", "?": throw fault("a repetition follows nothing; escape it as \\\(scalar)")
    default:
      index += 1
      return .set(literal(scalar))
    }
  }

  private func literal(_ scalar: Unicode.Scalar) -> ScalarSet {
    ScalarSet(ranges: [scalar.value...scalar.value], ignoresCase: flags.ignoresCase)
  }

  private mutating func repeated(_ item: PatternTree) throws(Pattern.Fault) -> PatternTree {
    var item = item
    while let scalar = next {
      let bounds: (Int, Int?)
      switch scalar {
      case "*": bounds = (0, nil)
      case "+": bounds = (1, nil)
      case "?": bounds = (0, 1)
      case "{": bounds = try counts()
      default: return item
      }
      if scalar != "{" { index += 1 }
      if case .repetition = item {
        throw fault("a repetition follows a repetition; put the first in a group")
      }
      item = .repetition(item, minimum: bounds.0, maximum: bounds.1, isLazy: take("?"))
    }
    return item
  }

  private mutating func counts() throws(Pattern.Fault) -> (Int, Int?) {
    index += 1
    let minimum = number()
    let hasComma = take(",")
    let maximum = hasComma ? number() : minimum
    guard let minimum, take("}") else {
      throw fault("a brace begins no count such as {2,3}; escape it as \\{")
    }
    guard minimum <= 1_000, (maximum ?? 0) <= 1_000 else { throw fault("a count is more than 1000") }
    if let maximum, maximum < minimum { throw fault("the maximum of a count is less than its minimum") }
    return (minimum, maximum)
  }

  private mutating func number() -> Int? {
    let digits = scalars[index...].prefix { ("0"..."9").contains($0) }
    index += digits.count
    return digits.count <= 6
      ? Int(String(String.UnicodeScalarView(digits))) : digits.isEmpty ? nil : 1_000_000
  }

  private mutating func group() throws(Pattern.Fault) -> PatternTree {
    index += 1
    guard take("?") else {
      groupCount += 1
      return .group(try groupContent(), groupCount - 1)
    }
    if take("P") || next == "<" {
      guard take("<") else { throw fault("a group has an unknown kind; use (…), (?:…) or (?<name>…)") }
      let name = scalars[index...].prefix {
        $0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0)
      }
      index += name.count
      guard !name.isEmpty, take(">") else {
        throw fault("lookbehind is not supported; use a group and (?<name>…) with a name of letters")
      }
      groupCount += 1
      return .group(try groupContent(), groupCount - 1)
    }
    if next == "=" || next == "!" { throw fault("lookahead is not supported, because it may not be linear") }
    let outer = flags
    var isOn = true
    while let flag = next, flag != ":", flag != ")" {
      switch flag {
      case "i": flags.ignoresCase = isOn
      case "m": flags.isMultiline = isOn
      case "s": flags.dotMatchesLineEnd = isOn
      case "-": isOn = false
      default: throw fault("a group has an unknown flag; i, m and s are known")
      }
      index += 1
    }
    // Without a content, the flags are those of the rest of the group around them.
    if take(")") { return .empty }
    guard take(":") else { throw fault("a group has no end") }
    let content = try groupContent()
    flags = outer
    return content
  }

  private mutating func groupContent() throws(Pattern.Fault) -> PatternTree {
    let content = try choice()
    guard take(")") else { throw fault("a group has no end; close it, or escape it as \\(") }
    return content
  }

  private mutating func escape() throws(Pattern.Fault) -> PatternTree {
    index += 1
    switch next {
    case "b", "B", "A", "z":
      defer { index += 1 }
      let boundaries: [Unicode.Scalar: PatternBoundary] = [
        "b": .word, "B": .noWord, "A": .textStart, "z": .textEnd,
      ]
      return next.flatMap { boundaries[$0] }.map { .check($0) } ?? .empty
    default:
      var set = ScalarSet(ignoresCase: flags.ignoresCase)
      if let scalar = try escaped(into: &set) { set = literal(scalar) }
      return .set(set)
    }
  }

  /// Parses what follows a backslash: a class, which is inserted into a set, or a scalar, which is returned.
  private mutating func escaped(into set: inout ScalarSet) throws(Pattern.Fault) -> Unicode.Scalar? {
    guard let scalar = next else { throw fault("the pattern ends with a backslash; write \\\\") }
    index += 1
    switch scalar {
    case "d", "D": set.classes.append((.digit, scalar == "D"))
    case "w", "W": set.classes.append((.word, scalar == "W"))
    case "s", "S": set.classes.append((.space, scalar == "S"))
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "f": return "\u{C}"
    case "v": return "\u{B}"
    case "x": return try code(digits: 2)
    case "u": return try code(digits: 4)
    default:
      let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      guard !isLetter, !("0"..."9").contains(scalar) else {
        index -= 1
        throw fault(
          "\\\(scalar) is not supported; backreferences and Unicode classes are not, and \\d \\w \\s \\b are")
      }
      return scalar
    }
    return nil
  }

  private mutating func code(digits count: Int) throws(Pattern.Fault) -> Unicode.Scalar {
    let isBraced = take("{")
    let digits = scalars[index...].prefix(isBraced ? 6 : count).prefix { $0.properties.isASCIIHexDigit }
    index += digits.count
    guard let code = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
      let scalar = Unicode.Scalar(code), isBraced ? take("}") : digits.count == count
    else { throw fault("an escape has no code such as \\x41 or \\u{1F600}") }
    return scalar
  }

  private mutating func bracket() throws(Pattern.Fault) -> ScalarSet {
    index += 1
    var set = ScalarSet(ignoresCase: flags.ignoresCase)
    set.isNegated = take("^")
    var isFirst = true
    while let scalar = next, scalar != "]" || isFirst {
      isFirst = false
      if scalar == "[" {
        throw fault("a class contains a bracket; escape it as \\[, because nested classes are not supported")
      }
      guard let low = try classScalar(into: &set) else { continue }
      let isRange = next == "-" && index + 1 < scalars.count && scalars[index + 1] != "]"
      guard isRange else {
        set.ranges.append(low.value...low.value)
        continue
      }
      index += 1
      guard let high = try classScalar(into: &set), low <= high else {
        throw fault("the end of a range is less than its start, or is a class")
      }
      set.ranges.append(low.value...high.value)
    }
    guard take("]") else { throw fault("a class has no end; close it, or escape it as \\[") }
    return set
  }

  private mutating func classScalar(into set: inout ScalarSet) throws(Pattern.Fault) -> Unicode.Scalar? {
    guard let scalar = next else { throw fault("a class has no end") }
    index += 1
    guard scalar == "\\" else { return scalar }
    if take("b") { return "\u{8}" }
    return try escaped(into: &set)
  }
}
