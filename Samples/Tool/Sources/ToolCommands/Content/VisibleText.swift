/// Content of a server as text for a terminal, piece by piece.
///
/// Control and format characters are written as `\u{…}` and bytes that are not UTF-8 as `\x…`, so that the
/// content can't move the cursor, change colours or hide a part of itself. Line breaks, tabs, and the joiners
/// that emoji and some scripts need remain.
public struct VisibleText: Sendable {
  /// The first bytes of a character that the next piece completes.
  private var incomplete: [UInt8] = []
  /// Whether the last piece ended with a carriage return, which a line feed may follow.
  private var endedWithReturn = false
  /// Whether the text so far is empty or ends with a line break.
  public private(set) var isAtLineStart = true

  /// Creates an empty text.
  public init() {}

  /// Returns the text of the next bytes, without an incomplete character at their end.
  public mutating func text(of bytes: [UInt8]) -> String {
    let bytes = incomplete + bytes
    let kept = Self.incompleteCount(at: bytes)
    incomplete = Array(bytes.suffix(kept))
    return shown(bytes.dropLast(kept))
  }

  /// Returns the text of what is incomplete at the end.
  public mutating func rest() -> String {
    defer { incomplete = [] }
    var text = shown(incomplete[...])
    if endedWithReturn {
      endedWithReturn = false
      text += "\\u{D}"
    }
    return text
  }

  private mutating func shown(_ bytes: ArraySlice<UInt8>) -> String {
    // Most content: nothing in it has to be examined by character.
    if !endedWithReturn, bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x09 }) {
      if let last = bytes.last { isAtLineStart = last == 0x0A }
      return String(decoding: bytes, as: UTF8.self)
    }
    var text = ""
    text.reserveCapacity(bytes.count)
    var decoder = UTF8()
    var rest = bytes
    while !rest.isEmpty {
      var iterator = rest.makeIterator()
      guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
        append("\\x\(Self.digits(rest[rest.startIndex]))", to: &text)
        rest = rest.dropFirst()
        decoder = UTF8()
        continue
      }
      rest = rest.dropFirst(UTF8.width(scalar))
      // The decoder reads ahead.
      decoder = UTF8()
      append(scalar, to: &text)
    }
    return text
  }

  private mutating func append(_ scalar: Unicode.Scalar, to text: inout String) {
    if scalar == "\r" {
      if endedWithReturn { append("", to: &text) }
      endedWithReturn = true
    } else if scalar == "\n" {
      endedWithReturn = false
      text.append("\n")
      isAtLineStart = true
    } else if Printable.isHidden(scalar), !Self.isPermitted(scalar) {
      append(Printable.escape(scalar), to: &text)
    } else {
      append(String(Character(scalar)), to: &text)
    }
  }

  private mutating func append(_ shown: String, to text: inout String) {
    if endedWithReturn {
      // It would move the cursor to the beginning of the line.
      endedWithReturn = false
      text += "\\u{D}"
    }
    text += shown
    isAtLineStart = false
  }

  private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\t" || scalar == "\u{200C}" || scalar == "\u{200D}"
  }

  private static func digits(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  /// The number of bytes at the end that begin a character and do not complete it.
  private static func incompleteCount(at bytes: [UInt8]) -> Int {
    for (index, byte) in bytes.suffix(3).reversed().enumerated() {
      let needed =
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
      if needed > index + 1 { return index + 1 }
      guard byte & 0xC0 == 0x80 else { return 0 }
    }
    return 0
  }
}
