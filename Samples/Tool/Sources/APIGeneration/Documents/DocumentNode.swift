/// A value of a document in YAML or JSON, and its line.
///
/// A class, so that schemas that refer to one another share their nodes.
final class DocumentNode: Sendable {
  /// The value.
  enum Content: Sendable {
    /// A text in quotes.
    case text(String)
    /// A text without quotes, which may mean a number, a Boolean or null.
    case plain(String)
    case list([DocumentNode])
    case object([Entry])
  }

  /// A key of an object and its value.
  struct Entry: Sendable {
    let key: String
    let line: Int
    let value: DocumentNode
  }

  let content: Content
  let line: Int
  private let places: [String: Int]

  init(_ content: Content, line: Int) {
    self.content = content
    self.line = line
    guard case .object(let entries) = content else {
      places = [:]
      return
    }
    places = Dictionary(zip(entries.map(\.key), entries.indices), uniquingKeysWith: { first, _ in first })
  }

  /// The value of a key; nil if the node is no object or has no such key.
  subscript(key: String) -> DocumentNode? {
    guard case .object(let entries) = content, let place = places[key] else { return nil }
    return entries[place].value
  }

  /// The entries of an object; none for another value.
  var entries: [Entry] { if case .object(let entries) = content { entries } else { [] } }
  /// The elements of a list; none for another value.
  var elements: [DocumentNode] { if case .list(let elements) = content { elements } else { [] } }
  var isObject: Bool { if case .object = content { true } else { false } }

  /// The text of a scalar.
  var text: String? {
    switch content {
    case .text(let text), .plain(let text): text
    case .list, .object: nil
    }
  }

  /// The text of a scalar that is a string, in quotes or not.
  var string: String? {
    switch content {
    case .text(let text): text
    case .plain(let text): scalar == .string ? text : nil
    case .list, .object: nil
    }
  }

  var isTrue: Bool { if case .plain("true") = content { true } else { false } }
  var isNull: Bool { if case .plain = content { scalar == .null } else { false } }
  var integer: Int? { if case .plain(let text) = content { Int(text) } else { nil } }

  /// What a scalar means (YAML 1.2, core schema, as far as JSON has it).
  enum Scalar { case null, boolean, number, string }

  var scalar: Scalar {
    guard case .plain(let text) = content else { return .string }
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "false": return .boolean
    default: return JSONNumber.isValid(text) ? .number : .string
    }
  }

  /// The strings of a list.
  var strings: [String] { elements.compactMap(\.text) }
}

extension DocumentNode {
  /// The value as compact JSON, with the keys in the order of the document.
  var json: String {
    switch content {
    case .text(let text): return Self.quoted(text)
    case .plain(let text):
      switch scalar {
      case .null: return "null"
      case .boolean, .number: return text
      case .string: return Self.quoted(text)
      }
    case .list(let elements): return "[" + elements.map(\.json).joined(separator: ",") + "]"
    case .object(let entries):
      return "{" + entries.map { Self.quoted($0.key) + ":" + $0.value.json }.joined(separator: ",") + "}"
    }
  }

  /// Returns a text as a JSON string.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || (0x2028...0x2029).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// The syntax of numbers in JSON (RFC 8259, section 6).
enum JSONNumber {
  static func isValid(_ text: String) -> Bool {
    var rest = Substring(text)[...]
    func digits() -> Int {
      let count = rest.utf8.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == "-" { rest = rest.dropFirst() }
    if rest.first == "0" { rest = rest.dropFirst() } else if digits() == 0 { return false }
    if rest.first == "." {
      rest = rest.dropFirst()
      if digits() == 0 { return false }
    }
    if rest.first == "e" || rest.first == "E" {
      rest = rest.dropFirst()
      if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }
}
