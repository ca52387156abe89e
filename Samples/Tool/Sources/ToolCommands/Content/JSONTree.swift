/// A JSON text (RFC 8259) as it was sent: members in their order, and numbers with their digits.
public indirect enum JSONTree: Sendable, Hashable {
  /// A member of an object; its name has its quotes and escapes.
  public struct Member: Sendable, Hashable {
    /// The name, with quotes.
    public let name: String
    /// The value.
    public let value: JSONTree
  }

  /// A string, with its quotes and escapes.
  case string(String)
  /// A number, as it is written.
  case number(String)
  /// `true`, `false` or `null`.
  case word(String)
  /// The elements of an array.
  case array([JSONTree])
  /// The members of an object.
  case object([Member])

  /// Parses a text; nil if it is not valid JSON in UTF-8, or nested more than 200 times.
  public init?(_ bytes: [UInt8]) {
    var parser = JSONTreeParser(bytes: bytes)
    guard let tree = parser.document() else { return nil }
    self = tree
  }
}

/// Parses by recursion, whose depth is limited.
private struct JSONTreeParser {
  private static let maximumDepth = 200

  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() -> JSONTree? {
    // Some servers send a byte order mark, which readers may ignore.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    guard let tree = value(depth: 0) else { return nil }
    skipSpace()
    return index == bytes.count ? tree : nil
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) -> JSONTree? {
    skipSpace()
    switch next {
    case UInt8(ascii: "\""): return string().map(JSONTree.string)
    case UInt8(ascii: "["): return depth < Self.maximumDepth ? array(depth) : nil
    case UInt8(ascii: "{"): return depth < Self.maximumDepth ? object(depth) : nil
    case UInt8(ascii: "-"): return number()
    case let digit? where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit): return number()
    default:
      for word in ["true", "false", "null"] where bytes[index...].starts(with: word.utf8) {
        index += word.utf8.count
        return .word(word)
      }
      return nil
    }
  }

  private mutating func array(_ depth: Int) -> JSONTree? {
    guard take("[") else { return nil }
    var elements: [JSONTree] = []
    if take("]") { return .array(elements) }
    while let element = value(depth: depth + 1) {
      elements.append(element)
      if take("]") { return .array(elements) }
      guard take(",") else { return nil }
    }
    return nil
  }

  private mutating func object(_ depth: Int) -> JSONTree? {
    guard take("{") else { return nil }
    var members: [JSONTree.Member] = []
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      guard let name = string(), take(":"), let value = value(depth: depth + 1) else { return nil }
      members.append(JSONTree.Member(name: name, value: value))
      if take("}") { return .object(members) }
      guard take(",") else { return nil }
    }
  }

  private mutating func string() -> String? {
    guard next == UInt8(ascii: "\"") else { return nil }
    let start = index
    index += 1
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: bytes[start..<index], as: UTF8.self)
      case UInt8(ascii: "\\"): guard skipEscape() else { return nil }
      case 0..<0x20: return nil
      default: break
      }
    }
    return nil
  }

  private mutating func skipEscape() -> Bool {
    guard let escaped = next else { return false }
    index += 1
    guard escaped == UInt8(ascii: "u") else { return Set("\"\\/bfnrt".utf8).contains(escaped) }
    let digits = bytes[index...].prefix(4)
    index += digits.count
    return digits.count == 4 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
  }

  private mutating func number() -> JSONTree? {
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    let first = next
    let whole = skipDigits()
    guard whole > 0, whole == 1 || first != UInt8(ascii: "0") else { return nil }
    if next == UInt8(ascii: ".") {
      index += 1
      guard skipDigits() > 0 else { return nil }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      guard skipDigits() > 0 else { return nil }
    }
    return .number(String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private mutating func skipDigits() -> Int {
    let start = index
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    return index - start
  }
}
