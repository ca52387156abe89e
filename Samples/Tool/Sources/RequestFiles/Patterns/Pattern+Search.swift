extension Pattern {
  /// Finds the first match; of those that begin at the same place, the one that the pattern prefers.
  ///
  /// All alternatives are followed at the same time (Thompson's simulation), so that each scalar of the text
  /// is read once.
  ///
  /// - Throws: ``Fault`` if the search takes more than a number of steps.
  func firstMatch(
    in text: [Unicode.Scalar], stepLimit: Int = maximumSteps
  ) throws(Fault) -> Match? {
    var stepsLeft = stepLimit
    return try firstMatch(in: text, from: 0, stepsLeft: &stepsLeft)
  }

  private func firstMatch(
    in text: [Unicode.Scalar], from start: Int, stepsLeft: inout Int
  ) throws(Fault) -> Match? {
    var search = PatternSearch(program, text, slots: 2 * groupCount, stepLimit: stepsLeft)
    let found = try search.run(from: start)
    stepsLeft -= search.steps
    guard let slots = found else { return nil }
    let ranges = (0..<groupCount).map { group -> Range<Int>? in
      let (low, high) = (slots[2 * group], slots[2 * group + 1])
      return low >= 0 && high >= low ? low..<high : nil
    }
    return ranges[0].map { Match(range: $0, groups: Array(ranges.dropFirst())) }
  }

  /// Returns a text in which every match is replaced; `$1` or `${1}` in the replacement is a group.
  ///
  /// - Throws: ``Fault`` if all searches together take more than a number of steps, or if the result has more
  ///   scalars than that.
  func replacing(
    in text: [Unicode.Scalar], with replacement: String, stepLimit: Int = maximumSteps
  ) throws(Fault) -> String {
    // An array, because appending a part to a view of a string copies all of it.
    var result: [Unicode.Scalar] = []
    let replacement = Array(replacement.unicodeScalars)
    var index = 0
    var stepsLeft = stepLimit
    while index <= text.count, let match = try firstMatch(in: text, from: index, stepsLeft: &stepsLeft) {
      // A search costs at least what it allocates for the program.
      stepsLeft -= program.count / 16
      guard stepsLeft >= 0, result.count <= stepLimit else { throw Self.tooCostly }
      result += text[index..<match.range.lowerBound]
      Self.append(replacement, match, of: text, to: &result)
      index = match.range.upperBound
      guard match.range.isEmpty else { continue }
      if index < text.count { result.append(text[index]) }
      index += 1
    }
    if index < text.count { result += text[index...] }
    return String(String.UnicodeScalarView(result))
  }

  static let tooCostly = Fault(reason: "the search takes too many steps; simplify the pattern", offset: 0)

  private static func append(
    _ replacement: [Unicode.Scalar], _ match: Match, of text: [Unicode.Scalar],
    to result: inout [Unicode.Scalar]
  ) {
    var rest = replacement[...]
    while let scalar = rest.popFirst() {
      guard scalar == "$" else {
        result.append(scalar)
        continue
      }
      let isBraced = rest.first == "{"
      let digits = rest.dropFirst(isBraced ? 1 : 0).prefix(2).prefix { ("0"..."9").contains($0) }
      let after = rest.dropFirst(digits.count + (isBraced ? 1 : 0))
      guard let number = Int(String(String.UnicodeScalarView(digits))), !isBraced || after.first == "}" else {
        result.append(scalar)
        continue
      }
      rest = after.dropFirst(isBraced ? 1 : 0)
      let range = number == 0 ? match.range : number <= match.groups.count ? match.groups[number - 1] : nil
      if let range { result += text[range] }
    }
  }
}

/// A search, with the places in the program that are reached after each scalar.
private struct PatternSearch {
  private struct Thread {
    let place: Int
    let slots: [Int]
  }

  private let program: [PatternInstruction]
  private let text: [Unicode.Scalar]
  private let empty: [Int]
  private let stepLimit: Int
  /// The step in which a place was visited last, so that it is visited once per step.
  private var visited: [Int]
  private var step = 0
  private(set) var steps = 0
  private var pending: [Thread] = []

  init(_ program: [PatternInstruction], _ text: [Unicode.Scalar], slots: Int, stepLimit: Int) {
    (self.program, self.text, self.stepLimit) = (program, text, stepLimit)
    empty = Array(repeating: -1, count: slots)
    visited = Array(repeating: 0, count: program.count)
  }

  mutating func run(from start: Int) throws(Pattern.Fault) -> [Int]? {
    var threads: [Thread] = []
    var found: [Int]?
    var index = start
    begin()
    while true {
      // A later start is tried only while nothing is found, and after the earlier ones.
      if found == nil { try add(Thread(place: 0, slots: empty), at: index, to: &threads) }
      guard found == nil || !threads.isEmpty else { return found }
      let scalar = index < text.count ? text[index] : nil
      var following: [Thread] = []
      begin()
      search: for thread in threads {
        switch program[thread.place] {
        case .match:
          found = thread.slots
          // The others are less preferred.
          break search
        case .scalar(let set):
          if let scalar, set.contains(scalar) {
            try add(Thread(place: thread.place + 1, slots: thread.slots), at: index + 1, to: &following)
          }
        case .split, .jump, .save, .check: break
        }
      }
      threads = following
      index += 1
      guard scalar != nil else { return found }
    }
  }

  private mutating func begin() { step += 1 }

  /// Adds a place, and those that it reaches without a scalar, in the order of preference.
  private mutating func add(
    _ thread: Thread, at index: Int, to threads: inout [Thread]
  ) throws(Pattern.Fault) {
    pending.append(thread)
    while let thread = pending.popLast() {
      guard visited[thread.place] != step else { continue }
      visited[thread.place] = step
      steps += 1
      guard steps <= stepLimit else { throw Pattern.tooCostly }
      switch program[thread.place] {
      case .jump(let place): pending.append(Thread(place: place, slots: thread.slots))
      case .split(let first, let second):
        pending.append(Thread(place: second, slots: thread.slots))
        pending.append(Thread(place: first, slots: thread.slots))
      case .save(let slot):
        var slots = thread.slots
        slots[slot] = index
        pending.append(Thread(place: thread.place + 1, slots: slots))
      case .check(let boundary):
        if holds(boundary, at: index) {
          pending.append(Thread(place: thread.place + 1, slots: thread.slots))
        }
      case .scalar, .match: threads.append(thread)
      }
    }
  }

  private func holds(_ boundary: PatternBoundary, at index: Int) -> Bool {
    let isStart = index == 0
    let isEnd = index == text.count
    switch boundary {
    case .textStart: return isStart
    case .textEnd: return isEnd
    case .lineStart: return isStart || text[index - 1] == "\n"
    case .lineEnd: return isEnd || text[index] == "\n"
    case .word, .noWord:
      let before = !isStart && ScalarSet.has(text[index - 1], .word)
      let after = !isEnd && ScalarSet.has(text[index], .word)
      return (before != after) == (boundary == .word)
    }
  }
}
