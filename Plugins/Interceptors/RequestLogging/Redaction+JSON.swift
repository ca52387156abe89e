extension Redaction {
  /// Returns JSON, or the beginning of it, with its names kept and its values hidden.
  ///
  /// As in a query, only the values of members that the redaction names are shown; those of a list belong to
  /// the list's name. Names are compared without decoding of escapes. What is cut off or isn't JSON is
  /// hidden: a text is shown as a name only if a colon follows it.
  public func json(_ json: String) -> String {
    var scan = JSONScan(Array(json.utf8), mark: mark, shownNames: shownQueryNames)
    return String(decoding: scan.redacted(), as: UTF8.self)
  }

  /// Whether a text begins as a JSON object or list does.
  package static func isJSON(_ text: String) -> Bool {
    let first = text.utf8.first { !JSONScan.isSpace($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

/// One pass over JSON that hides values; it needs no recursion and accepts any bytes.
private struct JSONScan {
  /// An object or a list that has begun.
  private enum Container {
    case object
    case list(isShown: Bool)
  }

  private let bytes: [UInt8]
  private let hidden: [UInt8]
  private let shownNames: Set<String>
  private var place = 0
  private var output: [UInt8] = []
  private var containers: [Container] = []
  /// Whether the next value is shown.
  private var isShown = false
  /// Whether a colon has announced a value of the innermost object.
  private var isValue = false

  init(_ bytes: [UInt8], mark: String, shownNames: Set<String>) {
    self.bytes = bytes
    hidden = Array("\"\(mark)\"".utf8)
    self.shownNames = shownNames
  }

  mutating func redacted() -> [UInt8] {
    output.reserveCapacity(bytes.count)
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "{"): open(.object)
      case UInt8(ascii: "["): open(.list(isShown: isShown))
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = containers.popLast()
        next()
      case UInt8(ascii: ","): next()
      case UInt8(ascii: ":"):
        isValue = true
        copy()
      case UInt8(ascii: "\""): text()
      case let byte where Self.isSpace(byte): copy()
      default: word()
      }
    }
    return output
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private mutating func copy() {
    output.append(bytes[place])
    place += 1
  }

  private mutating func open(_ container: Container) {
    containers.append(container)
    next()
  }

  /// Copies a byte after which another member or element begins.
  private mutating func next() {
    copy()
    isValue = false
    isShown = if case .list(let isShown) = containers.last { isShown } else { false }
  }

  /// A text: the name of a member, or a value.
  private mutating func text() {
    let start = place
    place += 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    let isWhole = place < bytes.count
    place = min(place + 1, bytes.count)
    if isWhole, !isValue, case .object = containers.last, isFollowedByColon {
      output += bytes[start..<place]
      isShown = shownNames.contains(String(decoding: bytes[start + 1..<place - 1], as: UTF8.self))
    } else {
      endValue(start, isWhole: isWhole)
    }
  }

  /// A number, a word, or what isn't JSON.
  private mutating func word() {
    let start = place
    while place < bytes.count, !"{}[],:\"".utf8.contains(bytes[place]), !Self.isSpace(bytes[place]) {
      place += 1
    }
    endValue(start, isWhole: place < bytes.count)
  }

  private mutating func endValue(_ start: Int, isWhole: Bool) {
    if isShown, isWhole { output += bytes[start..<place] } else { output += hidden }
    // A second value without a comma and a name belongs to no name.
    if case .object = containers.last { (isShown, isValue) = (false, false) }
  }

  private var isFollowedByColon: Bool {
    bytes[place...].first { !Self.isSpace($0) } == UInt8(ascii: ":")
  }
}
