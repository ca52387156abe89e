/// A regular expression without backreferences and lookaround, so that the time of a search is linear.
///
/// The standard library's `Regex` backtracks, and a pattern of a file could keep it busy without end.
struct Pattern: Sendable {
  /// Why a pattern can't be used.
  struct Fault: Error, Sendable, Hashable {
    let reason: String
    /// The index of the scalar in the pattern.
    let offset: Int
  }

  /// What a match found: its range, and those of the groups.
  struct Match {
    let range: Range<Int>
    let groups: [Range<Int>?]
  }

  /// The maximum number of instructions of a pattern.
  static let maximumInstructions = 20_000
  /// The maximum number of steps of a search.
  static let maximumSteps = 50_000_000

  let program: [PatternInstruction]
  let groupCount: Int

  /// Compiles a pattern.
  init(_ text: some Sequence<Unicode.Scalar>) throws(Fault) {
    var parser = PatternParser(Array(text))
    let tree = try parser.tree()
    groupCount = parser.groupCount
    var compiler = PatternCompiler()
    try compiler.compile(.group(tree, 0))
    compiler.program.append(.match)
    program = compiler.program
  }
}

/// A step of the machine that searches.
enum PatternInstruction: Sendable {
  case scalar(ScalarSet)
  /// Continues at both places; the first is preferred.
  case split(Int, Int)
  case jump(Int)
  case save(Int)
  case check(PatternBoundary)
  case match
}

/// A condition between two scalars.
enum PatternBoundary: Sendable {
  case textStart
  case textEnd
  case lineStart
  case lineEnd
  case word
  case noWord
}

/// A set of scalars: ranges and classes, or all others.
struct ScalarSet: Sendable {
  enum Class: Sendable {
    case digit
    case word
    case space
  }

  var ranges: [ClosedRange<UInt32>] = []
  var classes: [(class: Class, isNegated: Bool)] = []
  var isNegated = false
  var ignoresCase = false

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var isMember = includes(scalar)
    if !isMember, ignoresCase {
      let properties = scalar.properties
      for folded in [properties.lowercaseMapping, properties.uppercaseMapping] {
        if folded.unicodeScalars.count == 1, let other = folded.unicodeScalars.first, includes(other) {
          isMember = true
        }
      }
    }
    return isMember != isNegated
  }

  private func includes(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(scalar.value) }
      || classes.contains { Self.has(scalar, $0.class) != $0.isNegated }
  }

  static func has(_ scalar: Unicode.Scalar, _ kind: Class) -> Bool {
    if scalar.isASCII {
      let isDigit = ("0"..."9").contains(scalar)
      switch kind {
      case .digit: return isDigit
      case .word:
        return isDigit || scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      case .space: return scalar == " " || ("\t"..."\r").contains(scalar)
      }
    }
    switch kind {
    case .digit: return scalar.properties.generalCategory == .decimalNumber
    case .space: return scalar.properties.isWhitespace
    case .word:
      switch scalar.properties.generalCategory {
      case .decimalNumber, .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation: return true
      default: return scalar.properties.isAlphabetic
      }
    }
  }
}

/// The structure of a pattern.
indirect enum PatternTree {
  case empty
  case set(ScalarSet)
  case check(PatternBoundary)
  case sequence([PatternTree])
  case choice([PatternTree])
  /// A group that captures, by its number; 0 is the whole match.
  case group(PatternTree, Int)
  case repetition(PatternTree, minimum: Int, maximum: Int?, isLazy: Bool)
}

/// Translates the structure of a pattern into instructions.
struct PatternCompiler {
  var program: [PatternInstruction] = []

  mutating func compile(_ tree: PatternTree) throws(Pattern.Fault) {
    guard program.count < Pattern.maximumInstructions else {
      throw Pattern.Fault(reason: "the pattern repeats too much; use smaller counts", offset: 0)
    }
    switch tree {
    case .empty: break
    case .set(let set): program.append(.scalar(set))
    case .check(let boundary): program.append(.check(boundary))
    case .sequence(let trees): for tree in trees { try compile(tree) }
    case .group(let tree, let number):
      program.append(.save(2 * number))
      try compile(tree)
      program.append(.save(2 * number + 1))
    case .choice(let trees): try compileChoice(trees)
    case .repetition(let tree, let minimum, let maximum, let isLazy):
      for _ in 0..<minimum { try compile(tree) }
      guard let maximum else { return try compileLoop(tree, isLazy: isLazy) }
      var splits: [Int] = []
      for _ in minimum..<maximum {
        splits.append(program.count)
        program.append(.jump(0))
        try compile(tree)
      }
      for split in splits { program[split] = self.split(split + 1, program.count, isLazy: isLazy) }
    }
  }

  private mutating func compileLoop(_ tree: PatternTree, isLazy: Bool) throws(Pattern.Fault) {
    let start = program.count
    program.append(.jump(0))
    try compile(tree)
    program.append(.jump(start))
    program[start] = split(start + 1, program.count, isLazy: isLazy)
  }

  private mutating func compileChoice(_ trees: [PatternTree]) throws(Pattern.Fault) {
    var ends: [Int] = []
    for (index, tree) in trees.enumerated() {
      guard index < trees.count - 1 else {
        try compile(tree)
        break
      }
      let start = program.count
      program.append(.jump(0))
      try compile(tree)
      ends.append(program.count)
      program.append(.jump(0))
      program[start] = .split(start + 1, program.count)
    }
    for end in ends { program[end] = .jump(program.count) }
  }

  private func split(_ inside: Int, _ after: Int, isLazy: Bool) -> PatternInstruction {
    isLazy ? .split(after, inside) : .split(inside, after)
  }
}
