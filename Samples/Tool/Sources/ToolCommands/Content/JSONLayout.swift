/// JSON in lines with indentation and colours, folded to a number of lines if it has more.
///
/// What is folded is marked by its size, such as `{ … 12 members }` or `… 97 more`.
public struct JSONLayout: Sendable {
  /// The lines.
  public let lines: [String]
  /// The number of lines without folding.
  public let fullCount: Int
  /// Whether something is folded or shortened.
  public let isFolded: Bool

  /// The maximum size of a JSON text that is laid out; longer ones are shown as they are.
  public static let maximumBytes = 1 << 20

  /// Lays out a tree.
  ///
  /// - Parameters:
  ///   - maximumLines: The number of lines to which it is folded; nil to show everything.
  ///   - width: The width of the terminal, to which strings are shortened unless everything is shown.
  public init(_ tree: JSONTree, ink: Ink, maximumLines: Int? = nil, width: Int = 80) {
    var writer = JSONWriter(ink: ink, width: maximumLines == nil ? .max : max(width, 20))
    let sized = SizedTree(tree)
    writer.write(sized, budget: maximumLines.map { max($0, 1) } ?? .max)
    lines = writer.lines
    fullCount = sized.lineCount
    isFolded = writer.isFolded
  }

  /// The line that says how to see everything.
  public func note(_ ink: Ink) -> String {
    ink(
      .faint,
      "folded to \(Figures.count(lines.count, "line")) of \(fullCount); --all shows all, and so does a pipe")
  }
}

/// A tree in which each value has its number of lines.
private final class SizedTree {
  let tree: JSONTree
  let children: [SizedTree]
  let lineCount: Int

  init(_ tree: JSONTree) {
    self.tree = tree
    children =
      switch tree {
      case .array(let elements): elements.map(SizedTree.init)
      case .object(let members): members.map { SizedTree($0.value) }
      case .string, .number, .word: []
      }
    lineCount = children.isEmpty ? 1 : children.reduce(2) { $0 + $1.lineCount }
  }
}

private struct JSONWriter {
  let ink: Ink
  let width: Int
  private(set) var lines: [String] = []
  private(set) var isFolded = false
  /// The columns that the line in front of a value has.
  private var column = 0

  init(ink: Ink, width: Int) {
    self.ink = ink
    self.width = width
  }

  /// Writes a value in at most `budget` lines.
  ///
  /// - Parameters:
  ///   - prefix: What precedes it in its first line.
  ///   - columns: The width of the prefix, without colours.
  ///   - suffix: The comma that follows it, if any.
  mutating func write(
    _ node: SizedTree, budget: Int, depth: Int = 0, prefix: String = "", columns: Int = 0, suffix: String = ""
  ) {
    let (opening, closing, noun) =
      switch node.tree {
      case .object: ("{", "}", "member")
      case .array: ("[", "]", "element")
      case .string, .number, .word: ("", "", "")
      }
    guard !node.children.isEmpty else {
      let text =
        switch node.tree {
        case .string(let text): string(text, room: width - columns - suffix.count)
        case .number(let text): ink(.cyan, text)
        case .word(let text): ink(.yellow, text)
        case .array, .object: opening + closing
        }
      lines.append(prefix + text + suffix)
      return
    }
    guard budget >= node.lineCount || budget >= 3 else {
      isFolded = true
      let mark = "… \(Figures.count(node.children.count, noun))"
      lines.append("\(prefix)\(opening) \(ink(.faint, mark)) \(closing)\(suffix)")
      return
    }
    lines.append(prefix + opening)
    writeChildren(of: node, budget: budget == .max ? .max : budget - 2, depth: depth + 1)
    lines.append(indent(depth) + closing + suffix)
  }

  private mutating func writeChildren(of node: SizedTree, budget: Int, depth: Int) {
    let children = node.children
    // A line says how many are left out.
    let isCut = children.count > budget
    let shown = isCut ? Self.shownCount(of: node, budget: budget - 1) : children.count
    let budgets = Self.budgets(of: children.prefix(shown), total: isCut ? budget - 1 : budget, node.isArray)
    for (index, budget) in budgets.enumerated() {
      var prefix = indent(depth)
      var columns = 2 * depth
      if case .object(let members) = node.tree {
        let name = Printable.text(members[index].name)
        let text = shortened(name, room: max(width / 2, 10))
        prefix += ink(.blue, text) + ": "
        columns += text.count + 2
      }
      let suffix = index < children.count - 1 ? "," : ""
      write(children[index], budget: budget, depth: depth, prefix: prefix, columns: columns, suffix: suffix)
    }
    guard isCut else { return }
    isFolded = true
    lines.append(indent(depth) + ink(.faint, "… \(children.count - shown) more"))
  }

  /// The number of children that are shown if there are more than lines.
  ///
  /// Of an array its first element gets up to half of the lines, because it shows what the others look like.
  private static func shownCount(of node: SizedTree, budget: Int) -> Int {
    guard node.isArray, let first = node.children.first else { return budget }
    let extra = min(first.lineCount - 1, budget / 2)
    return extra >= 2 ? budget - extra : budget
  }

  /// Distributes lines to the children of a value, at least one to each.
  ///
  /// Members of an object are treated alike; the first elements of an array are shown before the others,
  /// because those usually look the same.
  private static func budgets(of children: ArraySlice<SizedTree>, total: Int, _ isArray: Bool) -> [Int] {
    guard total < .max else { return children.map { _ in .max } }
    var budgets = children.map { _ in 1 }
    var spare = total - children.count
    let order =
      isArray
      ? Array(children.indices) : children.indices.sorted { children[$0].lineCount < children[$1].lineCount }
    for (position, index) in order.enumerated() where spare > 0 {
      let share = isArray ? spare : spare / (order.count - position)
      let extra = min(children[index].lineCount - 1, share)
      // A container needs three lines to show anything of its content.
      guard extra >= 2 else { continue }
      budgets[index] += extra
      spare -= extra
    }
    return budgets
  }

  private func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

  private mutating func string(_ text: String, room: Int) -> String {
    ink(.green, shortened(Printable.text(text), room: room))
  }

  private mutating func shortened(_ text: String, room: Int) -> String {
    // Without a bound the count, which is slow, is not needed.
    guard room < 100_000, text.utf8.count > room, text.count > max(room, 12) else { return text }
    isFolded = true
    let mark = "…\" (\(text.count - 2) characters)"
    return text.prefix(max(room - mark.count, 6)) + mark
  }
}

extension SizedTree {
  fileprivate var isArray: Bool { if case .array = tree { true } else { false } }
}
