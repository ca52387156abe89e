/// Reads JSON with the line of each value, which Foundation's decoder doesn't report.
struct JSONNodeReader {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var count = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the root.
  mutating func document() throws(DocumentError) -> DocumentNode {
    let root = try value(depth: 0)
    skipSpace()
    guard offset == bytes.count else { throw unexpected("the end of the document") }
    return root
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      if byte == 0x0A { line += 1 }
      offset += 1
    }
  }

  private func unexpected(_ expected: String) -> DocumentError {
    DocumentError(line, "The document is no JSON: \(expected) is expected here; correct it.")
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: byte) else { return false }
    offset += 1
    return true
  }

  private mutating func value(depth: Int) throws(DocumentError) -> DocumentNode {
    skipSpace()
    count += 1
    guard count <= DocumentReader.maximumCount else { throw DocumentReader.tooMany(line) }
    guard depth <= DocumentReader.maximumDepth else { throw DocumentReader.tooDeep(line) }
    let start = line
    switch next {
    case UInt8(ascii: "{"):
      offset += 1
      var entries: [DocumentNode.Entry] = []
      var keys: Set<String> = []
      if take("}") { return DocumentNode(.object([]), line: start) }
      repeat {
        skipSpace()
        let place = line
        let key = try string()
        guard keys.insert(key).inserted else {
          throw DocumentError(place, "The key \"\(key)\" occurs twice in an object; remove one.")
        }
        guard take(":") else { throw unexpected("a colon") }
        entries.append(DocumentNode.Entry(key: key, line: place, value: try value(depth: depth + 1)))
      } while take(",")
      guard take("}") else { throw unexpected("a comma or a closing brace") }
      return DocumentNode(.object(entries), line: start)
    case UInt8(ascii: "["):
      offset += 1
      var elements: [DocumentNode] = []
      if take("]") { return DocumentNode(.list([]), line: start) }
      repeat { elements.append(try value(depth: depth + 1)) } while take(",")
      guard take("]") else { throw unexpected("a comma or a closing bracket") }
      return DocumentNode(.list(elements), line: start)
    case UInt8(ascii: "\""): return DocumentNode(.text(try string()), line: start)
    default:
      let word = bytes[offset...].prefix { !Array(" \t\r\n,]}:".utf8).contains($0) }
      let text = String(decoding: word, as: UTF8.self)
      guard ["true", "false", "null"].contains(text) || JSONNumber.isValid(text) else {
        throw unexpected("a value")
      }
      offset += word.count
      return DocumentNode(.plain(text), line: start)
    }
  }

  private mutating func string() throws(DocumentError) -> String {
    guard next == UInt8(ascii: "\"") else { throw unexpected("a string") }
    offset += 1
    var text: [UInt8] = []
    while let byte = next {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case ..<0x20: throw unexpected("a quotation mark on the same line")
      case UInt8(ascii: "\\"): text += Array(String(try escaped()).utf8)
      default: text.append(byte)
      }
    }
    throw unexpected("a quotation mark")
  }

  private mutating func escaped() throws(DocumentError) -> Character {
    guard let byte = next else { throw unexpected("an escape") }
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(byte))
    case UInt8(ascii: "u"): break
    default: throw unexpected("a known escape")
    }
    var value = try unit()
    if (0xD800..<0xDC00).contains(value), bytes[offset...].starts(with: Array("\\u".utf8)) {
      offset += 2
      let low = try unit()
      guard (0xDC00..<0xE000).contains(low) else { throw unexpected("the second half of a surrogate pair") }
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw unexpected("a whole surrogate pair") }
    return Character(scalar)
  }

  private mutating func unit() throws(DocumentError) -> UInt32 {
    let digits = String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, !digits.hasPrefix("+"), !digits.hasPrefix("-"),
      let value = UInt32(digits, radix: 16)
    else { throw unexpected("four hexadecimal digits") }
    offset += 4
    return value
  }
}
