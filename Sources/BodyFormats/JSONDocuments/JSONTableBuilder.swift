/// Parses a JSON text into the nodes of a ``JSONTable`` (RFC 8259), without recursion.
struct JSONTableBuilder {
  /// What the grammar allows next.
  private enum Expected { case value, firstElement, firstKey, key, separator }

  private struct Container {
    let node: Int
    let isObject: Bool
    /// The number of keys of the containers around it.
    let firstKey: Int
  }

  private let maximumDepth: Int
  private let findsDuplicates: Bool
  private(set) var nodes: [JSONTable.Node] = []
  private var containers: [Container] = []
  /// The keys of the objects that are open.
  private var keys: [JSONScan.Key] = []

  init(maximumDepth: Int, findsDuplicates: Bool) {
    self.maximumDepth = maximumDepth
    self.findsDuplicates = findsDuplicates
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
        if findsDuplicates { keys.append(try JSONScan.key(in: bytes, from: index + 1)) }
        index = JSONSyntax.endOfSpace(in: bytes, from: try addString(at: index, in: bytes))
        guard index < bytes.count else { throw .truncated }
        guard bytes[index] == UInt8(ascii: ":") else { throw .unexpected(at: index) }
        expected = .value
        index += 1
      case (.separator, UInt8(ascii: ",")):
        guard let container = containers.last else { throw .unexpected(at: index) }
        expected = container.isObject ? .key : .value
        index += 1
      case (.separator, UInt8(ascii: "}")) where containers.last?.isObject == true,
        (.separator, UInt8(ascii: "]")) where containers.last?.isObject == false:
        try close(in: bytes)
        index += 1
      default: throw .unexpected(at: index)
      }
    }
    guard containers.isEmpty else { throw .truncated }
    guard expected == .separator else { throw .unexpected(at: bytes.count) }
  }

  private mutating func addValue(
    startingWith byte: UInt8, at index: Int, in bytes: Span<UInt8>
  ) throws(JSONScan.Fault) -> (Int, Expected) {
    switch byte {
    case UInt8(ascii: "\""): return (try addString(at: index, in: bytes), .separator)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard containers.count < maximumDepth else { throw .tooDeep(at: index) }
      let isObject = byte == UInt8(ascii: "{")
      containers.append(Container(node: nodes.count, isObject: isObject, firstKey: keys.count))
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
    guard let container = containers.popLast() else { return }
    nodes[container.node].end = UInt32(truncatingIfNeeded: nodes.count)
    guard keys.count > container.firstKey else { return }
    if let offset = JSONScan.duplicate(among: &keys[container.firstKey...], in: bytes) {
      throw .duplicateKey(at: offset - 1)
    }
    keys.removeSubrange(container.firstKey...)
  }
}
