/// Reads and writes JSON as a ``Value``.
struct JSONText {
  /// The maximum depth of arrays and objects, far below what a thread's stack permits.
  static let maximumDepth = 256

  /// The maximum number of values in a text, so that a short text can't allocate gigabytes.
  static let maximumValues = 5_000_000

  /// Why a text is no JSON, and at which byte.
  struct Fault: Error {
    let reason: String
    let offset: Int
  }

  private let bytes: [UInt8]
  private var index = 0
  private var valueCount = 0

  /// Parses a whole text.
  static func value(_ bytes: [UInt8]) throws(Fault) -> Value {
    var text = JSONText(bytes: bytes)
    let value = try text.value(depth: 0)
    text.skipSpace()
    guard text.index == bytes.count else { throw text.fault("something follows the value") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func fault(_ reason: String) -> Fault { Fault(reason: reason, offset: index) }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) throws(Fault) -> Value {
    skipSpace()
    valueCount += 1
    guard valueCount <= Self.maximumValues else {
      throw fault("it has more than \(Self.maximumValues) values")
    }
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try list(depth: depth + 1)
    case UInt8(ascii: "\""): return .text(try string())
    case nil: throw fault("the text ends before a value")
    default: return try word()
    }
  }

  private mutating func word() throws(Fault) -> Value {
    let start = index
    while let byte = next, !" \n\r\t,]}:".utf8.contains(byte) { index += 1 }
    switch String(decoding: bytes[start..<index], as: UTF8.self) {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case let text:
      guard let number = Value.number(text) else {
        index = start
        throw fault("a value is neither a number nor true, false or null")
      }
      return number
    }
  }

  private mutating func list(depth: Int) throws(Fault) -> Value {
    guard depth <= Self.maximumDepth else { throw fault("it is nested more than \(Self.maximumDepth) deep") }
    index += 1
    var items: [Value] = []
    if take(UInt8(ascii: "]")) { return .list(items) }
    while true {
      items.append(try value(depth: depth))
      if take(UInt8(ascii: "]")) { return .list(items) }
      guard take(UInt8(ascii: ",")) else { throw fault("an array lacks a comma or its end") }
    }
  }

  private mutating func object(depth: Int) throws(Fault) -> Value {
    guard depth <= Self.maximumDepth else { throw fault("it is nested more than \(Self.maximumDepth) deep") }
    index += 1
    var members: [Value.Member] = []
    var places: [String: Int] = [:]
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw fault("a member of an object has no name in quotes") }
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw fault("a member of an object lacks its colon") }
      let member = Value.Member(name: name, value: try value(depth: depth))
      if let place = places[name] {
        members[place] = member
      } else {
        places[name] = members.count
        members.append(member)
      }
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw fault("an object lacks a comma or its end") }
    }
  }

  private mutating func string() throws(Fault) -> String {
    index += 1
    var content: [UInt8] = []
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else {
          throw fault("a string is not UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): content += try escape()
      case ..<0x20: throw fault("a string has a control character; escape it")
      default: content.append(byte)
      }
    }
    throw fault("a string has no end")
  }

  private mutating func escape() throws(Fault) -> [UInt8] {
    let byte = next
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte ?? 0]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var code = try unit()
      if (0xD800..<0xDC00).contains(code) {
        guard bytes[index...].starts(with: "\\u".utf8) else { throw fault("a surrogate has no second half") }
        index += 2
        let low = try unit()
        guard (0xDC00..<0xE000).contains(low) else { throw fault("a surrogate has no second half") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw fault("a surrogate has no first half") }
      return Array(String(scalar).utf8)
    default: throw fault("a string has an unknown escape")
    }
  }

  private mutating func unit() throws(Fault) -> UInt32 {
    let digits = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
    guard digits.utf8.count == 4, digits.utf8.first != UInt8(ascii: "+"), let code = UInt32(digits, radix: 16)
    else { throw fault("a string has \\u without four digits") }
    index += 4
    return code
  }
}

extension JSONText {
  /// Returns a value as compact JSON; bytes and dates as strings.
  static func text(of value: Value) -> String {
    var text = ""
    append(value, to: &text)
    return text
  }

  /// Returns a string in quotes, with what JSON requires escaped.
  static func quoted(_ string: String) -> String { "\"\(escaped(string))\"" }

  /// Returns a string as it stands between quotes.
  static func escaped(_ string: String) -> String {
    var text = ""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func append(_ value: Value, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let flag): text += "\(flag)"
    case .integer(let number): text += "\(number)"
    case .bigInteger(let digits): text += digits
    case .float(let number): text += "\(number)"
    case .text(let string): text += quoted(string)
    case .bytes(let bytes): text += quoted(Hexadecimal.text(bytes))
    case .date(let moment): text += quoted(moment.isoText)
    case .list(let items):
      text += "["
      for (index, item) in items.enumerated() {
        if index > 0 { text += "," }
        append(item, to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        text += quoted(member.name) + ":"
        append(member.value, to: &text)
      }
      text += "}"
    }
  }

  /// Returns where two values differ first, such as "$.a[2] is 5, but should be 4"; nil if they are equal.
  static func difference(_ actual: Value, from expected: Value, at path: String = "$") -> String? {
    switch (actual, expected) {
    case (.list(let found), .list(let wanted)):
      guard found.count == wanted.count else {
        return "\(path) has \(found.count) elements, but should have \(wanted.count)"
      }
      for (index, pair) in zip(found, wanted).enumerated() {
        if let inner = difference(pair.0, from: pair.1, at: "\(path)[\(index)]") { return inner }
      }
      return nil
    case (.object(let found), .object(let wanted)):
      let members = Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.value) })
      for member in wanted {
        guard let value = members[member.name] else {
          return "\(path) lacks the member \(quoted(member.name))"
        }
        if let inner = difference(value, from: member.value, at: "\(path).\(member.name)") { return inner }
      }
      let names = Set(wanted.map(\.name))
      return found.first { !names.contains($0.name) }.map {
        "\(path) has the further member \(quoted($0.name))"
      }
    default:
      return actual.equals(expected) ? nil : "\(path) is \(actual.shown), but should be \(expected.shown)"
    }
  }
}
