extension JSONPath {
  /// Returns the value that the expression finds: nothing, the one value, or a list of several.
  func value(in root: Value) throws(Fault) -> Value? {
    var evaluation = JSONPathEvaluation(root: root)
    let nodes = try evaluation.nodes(segments, from: root)
    return nodes.count <= 1 ? nodes.first : .list(nodes)
  }
}

private struct JSONPathEvaluation {
  private let root: Value
  private var visits = 0

  init(root: Value) { self.root = root }

  private mutating func visit(_ count: Int = 1) throws(JSONPath.Fault) {
    visits += count
    guard visits <= JSONPath.maximumVisits else {
      throw JSONPath.Fault(reason: "it visits too many values; make it more specific", offset: 0)
    }
  }

  mutating func nodes(
    _ segments: [JSONPath.Segment], from start: Value
  ) throws(JSONPath.Fault) -> [Value] {
    var nodes = [start]
    for segment in segments {
      var found: [Value] = []
      for node in nodes {
        if segment.isDescendant {
          try select(segment.selectors, inAndBelow: node, into: &found)
        } else {
          for selector in segment.selectors { try select(selector, in: node, into: &found) }
        }
      }
      nodes = found
    }
    return nodes
  }

  /// Selects in a value and everything that it contains; JSON is at most ``JSONText/maximumDepth`` deep.
  private mutating func select(
    _ selectors: [JSONPath.Selector], inAndBelow node: Value, into found: inout [Value]
  ) throws(JSONPath.Fault) {
    try visit()
    for selector in selectors { try select(selector, in: node, into: &found) }
    for child in Self.children(of: node) { try select(selectors, inAndBelow: child, into: &found) }
  }

  private static func children(of node: Value) -> [Value] {
    switch node {
    case .list(let items): items
    case .object(let members): members.map(\.value)
    default: []
    }
  }

  private mutating func select(
    _ selector: JSONPath.Selector, in node: Value, into found: inout [Value]
  ) throws(JSONPath.Fault) {
    try visit()
    switch selector {
    case .name(let name):
      if case .object(let members) = node, let member = members.first(where: { $0.name == name }) {
        found.append(member.value)
      }
    case .index(let index):
      guard case .list(let items) = node else { return }
      let place = index < 0 ? items.count + index : index
      if items.indices.contains(place) { found.append(items[place]) }
    case .slice(let start, let end, let step):
      guard case .list(let items) = node else { return }
      let places = Array(Self.places(start, end, step, count: items.count))
      try visit(places.count)
      found += places.map { items[$0] }
    case .wildcard:
      let children = Self.children(of: node)
      try visit(children.count)
      found += children
    case .filter(let condition):
      for child in Self.children(of: node) {
        if try holds(condition, for: child) { found.append(child) }
      }
    }
  }

  private static func places(_ start: Int?, _ end: Int?, _ step: Int, count: Int) -> StrideTo<Int> {
    func place(_ index: Int) -> Int { index < 0 ? count + index : index }
    guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
    if step > 0 {
      let low = min(max(place(start ?? 0), 0), count)
      return stride(from: low, to: min(max(place(end ?? count), 0), count), by: step)
    }
    let high = min(max(start.map(place) ?? count - 1, -1), count - 1)
    return stride(from: high, to: min(max(end.map(place) ?? -1, -1), count - 1), by: step)
  }

  private mutating func holds(
    _ condition: JSONPath.Condition, for node: Value
  ) throws(JSONPath.Fault) -> Bool {
    try visit()
    switch condition {
    case .either(let left, let right):
      if try holds(left, for: node) { return true }
      return try holds(right, for: node)
    case .both(let left, let right):
      guard try holds(left, for: node) else { return false }
      return try holds(right, for: node)
    case .not(let inner): return try !holds(inner, for: node)
    case .exists(.query(let isFromRoot, let segments)):
      return try !nodes(segments, from: isFromRoot ? root : node).isEmpty
    case .exists(let term): return try value(of: term, for: node) == .bool(true)
    case .comparison(let left, let comparison, let right):
      return Self.holds(try value(of: left, for: node), comparison, try value(of: right, for: node))
    }
  }

  private static func holds(_ left: Value?, _ comparison: JSONPath.Comparison, _ right: Value?) -> Bool {
    let areEqual =
      if let left, let right { left.equals(right) } else { left == nil && right == nil }
    let order: Value.Order? = if let left, let right { left.order(to: right) } else { nil }
    switch comparison {
    case .equal: return areEqual
    case .unequal: return !areEqual
    case .less: return order == .ascending
    case .greater: return order == .descending
    case .lessOrEqual: return order == .ascending || areEqual
    case .greaterOrEqual: return order == .descending || areEqual
    }
  }

  /// Returns the value of a term; nil if a query finds nothing, or several values.
  private mutating func value(
    of term: JSONPath.Term, for node: Value
  ) throws(JSONPath.Fault) -> Value? {
    switch term {
    case .literal(let value): return value
    case .query(let isFromRoot, let segments):
      let found = try nodes(segments, from: isFromRoot ? root : node)
      return found.count == 1 ? found[0] : nil
    case .function(.count, let arguments):
      guard case .query(let isFromRoot, let segments) = arguments[0] else { return nil }
      return .integer(try nodes(segments, from: isFromRoot ? root : node).count)
    case .function(.value, let arguments): return try value(of: arguments[0], for: node)
    case .function(.length, let arguments):
      switch try value(of: arguments[0], for: node) {
      case .text(let text): return .integer(text.unicodeScalars.count)
      case .list(let items): return .integer(items.count)
      case .object(let members): return .integer(members.count)
      default: return nil
      }
    case .function(let function, let arguments):
      guard case .text(let text)? = try value(of: arguments[0], for: node),
        case .text(let pattern)? = try value(of: arguments[1], for: node)
      else { return .bool(false) }
      return .bool(try matches(text, pattern, isWhole: function == .match))
    }
  }

  private mutating func matches(
    _ text: String, _ pattern: String, isWhole: Bool
  ) throws(JSONPath.Fault) -> Bool {
    do throws(Pattern.Fault) {
      let compiled = try Pattern((isWhole ? "\\A(?:\(pattern))\\z" : pattern).unicodeScalars)
      let scalars = Array(text.unicodeScalars)
      // A pattern costs more than other comparisons, and there is one for each value.
      visits += (scalars.count + 10) * compiled.program.count / 100
      return try compiled.firstMatch(in: scalars) != nil
    } catch {
      throw JSONPath.Fault(reason: "a pattern can't be used: \(error.reason)", offset: 0)
    }
  }
}
