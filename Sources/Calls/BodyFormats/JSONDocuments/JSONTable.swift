/// The keys and values of a JSON text as a flat list in the order of the text.
///
/// A key precedes its value, and an array or object precedes its content. A class, so that a value within a
/// document costs one retain.
final class JSONTable: Sendable {
  struct Node {
    /// The offset of the first byte; of a string, of the byte after its quotation mark.
    var start: UInt32
    /// The offset after the last byte; of an array or object, the number of the node after its content.
    var end: UInt32
    var kind: JSONDocument.Kind
    /// Whether it is a string with escapes.
    var isEscaped = false
  }

  let bytes: [UInt8]
  let nodes: [Node]

  init(bytes: [UInt8], nodes: [Node]) {
    self.bytes = bytes
    self.nodes = nodes
  }

  /// Returns the number of the node after a value and its content.
  func node(after value: Int) -> Int {
    let node = nodes[value]
    return switch node.kind {
    case .object, .array: Int(node.end)
    default: value + 1
    }
  }

  /// Returns the value of a key of an object, or nil.
  func value(of key: [UInt8], in object: Int) -> Int? {
    let end = Int(nodes[object].end)
    var place = object + 1
    while place < end {
      if isKey(place, equalTo: key) { return place + 1 }
      place = node(after: place + 1)
    }
    return nil
  }

  /// Returns an element of an array, or nil.
  func element(_ index: Int, of array: Int) -> Int? {
    guard index >= 0 else { return nil }
    let end = Int(nodes[array].end)
    var place = array + 1
    for _ in 0..<index {
      guard place < end else { return nil }
      place = node(after: place)
    }
    return place < end ? place : nil
  }

  /// Returns the text of a string or key.
  func text(of string: Int) -> String {
    let node = nodes[string]
    let range = Int(node.start)..<Int(node.end)
    guard node.isEscaped else { return String(decoding: bytes[range], as: UTF8.self) }
    let key = JSONScan.Key(start: range.lowerBound, end: range.upperBound, hash: 0, isPlain: false)
    let bytes = bytes[...]
    return JSONScan.text(of: key, in: bytes.span)
  }

  /// Returns the offsets of a value's first and last byte.
  ///
  /// The nodes have no offset for the end of an array or object, so its brackets are counted.
  func range(of value: Int) -> Range<Int> {
    let node = nodes[value]
    let start = Int(node.start)
    switch node.kind {
    case .string: return start - 1..<Int(node.end) + 1
    case .number, .boolean, .null: return start..<Int(node.end)
    case .object, .array: break
    }
    var depth = 0
    var isInString = false
    var place = start
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "\\") where isInString: place += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["): if !isInString { depth += 1 }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): if !isInString { depth -= 1 }
      default: break
      }
      place += 1
      if depth == 0 { break }
    }
    return start..<place
  }

  /// The maximum number of members that are passed to find the path to a value.
  static let maximumPathSteps = 4096

  /// Returns the components of the path to a value.
  ///
  /// The last one is "…" if more than ``maximumPathSteps`` members precede those on the path. Otherwise a
  /// reader that drops each bad element of a long array would take time in proportion to its square.
  func path(to value: Int) -> [FieldPath.Component] {
    var components: [FieldPath.Component] = []
    var container = 0
    var steps = 0
    while container < value {
      let isObject = nodes[container].kind == .object
      var place = container + 1
      var index = 0
      while true {
        let member = isObject ? place + 1 : place
        let next = node(after: member)
        if value < next {
          components.append(isObject ? .key(text(of: place)) : .index(index))
          container = member
          break
        }
        guard steps < Self.maximumPathSteps else { return components + [.key("…")] }
        place = next
        index += 1
        steps += 1
      }
    }
    return components
  }

  private func isKey(_ place: Int, equalTo key: [UInt8]) -> Bool {
    let node = nodes[place]
    if node.isEscaped { return text(of: place).utf8.elementsEqual(key) }
    let start = Int(node.start)
    guard Int(node.end) - start == key.count else { return false }
    for offset in 0..<key.count where bytes[start + offset] != key[offset] { return false }
    return true
  }
}

/// Parses a JSON text into the nodes of a ``JSONTable`` (RFC 8259), without recursion.
struct JSONTableBuilder {
  /// What the grammar allows next.
  private enum Expected { case value, firstElement, firstKey, key, separator }

  private(set) var nodes: [JSONTable.Node] = []
  private var nesting: JSONNesting

  init(maximumDepth: Int, findsDuplicates: Bool) {
    nesting = JSONNesting(maximumDepth: maximumDepth, findsDuplicates: findsDuplicates)
  }

  /// Parses a text of less than 4 GiB from its first to its last byte.
  mutating func build(_ bytes: Span<UInt8>) throws(JSONScan.Fault) {
    if JSONScan.isWide(bytes) { throw .notUTF8 }
    // Large documents have a key or value for every 10 to 20 bytes.
    nodes.reserveCapacity(bytes.count / 16 + 4)
    // A byte order mark may be ignored (section 8.1).
    let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    var index = hasMark ? 3 : 0
    var expected = Expected.value
    while true {
      index = JSONSyntax.endOfSpace(in: bytes, from: index)
      guard index < bytes.count else { break }
      switch (expected, bytes[index]) {
      case (.firstElement, UInt8(ascii: "]")), (.firstKey, UInt8(ascii: "}")):
        try close(in: bytes)
        expected = .separator
        index += 1
      case (.value, let byte), (.firstElement, let byte):
        (index, expected) = try addValue(startingWith: byte, at: index, in: bytes)
      case (.firstKey, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")):
        if nesting.findsDuplicates { nesting.keys.append(try JSONScan.key(in: bytes, from: index + 1)) }
        index = JSONSyntax.endOfSpace(in: bytes, from: try addString(at: index, in: bytes))
        guard index < bytes.count else { throw .truncated }
        guard bytes[index] == UInt8(ascii: ":") else { throw .unexpected(at: index) }
        expected = .value
        index += 1
      case (.separator, UInt8(ascii: ",")):
        guard let isObject = nesting.isInObject else { throw .unexpected(at: index) }
        expected = isObject ? .key : .value
        index += 1
      case (.separator, UInt8(ascii: "}")) where nesting.isInObject == true,
        (.separator, UInt8(ascii: "]")) where nesting.isInObject == false:
        try close(in: bytes)
        index += 1
      default: throw .unexpected(at: index)
      }
    }
    guard nesting.containers.isEmpty else { throw .truncated }
    guard expected == .separator else { throw .unexpected(at: bytes.count) }
  }

  private mutating func addValue(
    startingWith byte: UInt8, at index: Int, in bytes: Span<UInt8>
  ) throws(JSONScan.Fault) -> (Int, Expected) {
    switch byte {
    case UInt8(ascii: "\""): return (try addString(at: index, in: bytes), .separator)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isObject = byte == UInt8(ascii: "{")
      try nesting.open(isObject: isObject, at: index, node: nodes.count)
      add(isObject ? .object : .array, index, 0)
      return (index + 1, isObject ? .firstKey : .firstElement)
    case UInt8(ascii: "t"): return (try addLiteral("true", .boolean, at: index, in: bytes), .separator)
    case UInt8(ascii: "f"): return (try addLiteral("false", .boolean, at: index, in: bytes), .separator)
    case UInt8(ascii: "n"): return (try addLiteral("null", .null, at: index, in: bytes), .separator)
    default:
      let end = try JSONSyntax.endOfNumber(in: bytes, from: index)
      add(.number, index, end)
      return (end, .separator)
    }
  }

  private mutating func addString(at index: Int, in bytes: Span<UInt8>) throws(JSONScan.Fault) -> Int {
    let (end, isEscaped) = try JSONSyntax.endOfString(in: bytes, from: index + 1)
    add(.string, index + 1, end, isEscaped: isEscaped)
    return end + 1
  }

  private mutating func addLiteral(
    _ literal: StaticString, _ kind: JSONDocument.Kind, at start: Int, in bytes: Span<UInt8>
  ) throws(JSONScan.Fault) -> Int {
    let end = try JSONSyntax.endOfLiteral(literal, in: bytes, from: start)
    add(kind, start, end)
    return end
  }

  private mutating func add(_ kind: JSONDocument.Kind, _ start: Int, _ end: Int, isEscaped: Bool = false) {
    nodes.append(
      JSONTable.Node(
        start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), kind: kind,
        isEscaped: isEscaped))
  }

  /// Ends the innermost array or object.
  private mutating func close(in bytes: Span<UInt8>) throws(JSONScan.Fault) {
    guard let container = try nesting.close(in: bytes) else { return }
    nodes[container.node].end = UInt32(truncatingIfNeeded: nodes.count)
  }
}
