/// Parses structured fields (RFC 9651, section 4.2).
///
/// The work is proportional to the length of the value, which is checked first. Nothing is nested deeper than
/// a list of lists of items, so nothing is recursive.
struct StructuredFieldParser {
  /// The maximum sizes of a value.
  struct Limits: Sendable {
    /// The maximum number of bytes.
    var length = 65_536
    /// The maximum number of members of a list or dictionary, items of an inner list, and parameters.
    var members = 256
    /// Whether a key may occur more than once; the last occurrence then counts.
    var allowsDuplicateKeys = true
  }

  let bytes: [UInt8]
  let limits: Limits
  var index = 0

  private init(_ text: String, _ limits: Limits) throws(StructuredFieldError) {
    guard text.utf8.count <= limits.length else {
      throw StructuredFieldError(rule: .tooLong, offset: limits.length)
    }
    bytes = Array(text.utf8)
    self.limits = limits
    if let index = bytes.firstIndex(where: { $0 > 0x7F }) {
      throw StructuredFieldError(rule: .notASCII, offset: index)
    }
  }

  /// Parses a dictionary; an empty text is an empty one.
  static func dictionary(
    _ text: String, limits: Limits = Limits()
  ) throws(StructuredFieldError) -> StructuredDictionary {
    var parser = try StructuredFieldParser(text, limits)
    var dictionary = StructuredDictionary()
    try parser.members { parser throws(StructuredFieldError) in
      let start = parser.index
      let key = try parser.key()
      let member: StructuredMember
      if parser.take("=") {
        member = try parser.member()
      } else {
        member = .item(StructuredItem(value: .boolean(true), parameters: try parser.parameters()))
      }
      guard dictionary.set(key, to: member) || limits.allowsDuplicateKeys else {
        throw StructuredFieldError(rule: .duplicateKey, offset: start)
      }
    }
    return dictionary
  }

  /// Parses a list; an empty text is an empty one.
  static func list(
    _ text: String, limits: Limits = Limits()
  ) throws(StructuredFieldError) -> [StructuredMember] {
    var parser = try StructuredFieldParser(text, limits)
    var list: [StructuredMember] = []
    try parser.members { parser throws(StructuredFieldError) in list.append(try parser.member()) }
    return list
  }

  /// Parses an item.
  static func item(_ text: String, limits: Limits = Limits()) throws(StructuredFieldError) -> StructuredItem {
    var parser = try StructuredFieldParser(text, limits)
    parser.skipSpaces()
    let item = try parser.item()
    parser.skipSpaces()
    guard parser.index == parser.bytes.count else { throw parser.fault(.trailingText) }
    return item
  }

  private mutating func members(
    _ read: (inout StructuredFieldParser) throws(StructuredFieldError) -> Void
  ) throws(StructuredFieldError) {
    skipSpaces()
    var count = 0
    while index < bytes.count {
      count += 1
      guard count <= limits.members else { throw fault(.tooManyMembers) }
      try read(&self)
      skipWhitespace()
      guard index < bytes.count else { return }
      guard take(",") else { throw fault(.missingComma) }
      skipWhitespace()
      guard index < bytes.count else { throw fault(.trailingComma) }
    }
  }

  private mutating func member() throws(StructuredFieldError) -> StructuredMember {
    peek == UInt8(ascii: "(") ? .innerList(try innerList()) : .item(try item())
  }

  private mutating func innerList() throws(StructuredFieldError) -> StructuredInnerList {
    guard take("(") else { throw fault(.innerList) }
    var items: [StructuredItem] = []
    while true {
      skipSpaces()
      if take(")") { return StructuredInnerList(items: items, parameters: try parameters()) }
      guard index < bytes.count else { throw fault(.innerList) }
      guard items.count < limits.members else { throw fault(.tooManyMembers) }
      items.append(try item())
      guard peek == UInt8(ascii: " ") || peek == UInt8(ascii: ")") else { throw fault(.innerList) }
    }
  }

  private mutating func item() throws(StructuredFieldError) -> StructuredItem {
    let value = try bareItem()
    return StructuredItem(value: value, parameters: try parameters())
  }

  private mutating func parameters() throws(StructuredFieldError) -> StructuredParameters {
    var parameters = StructuredParameters()
    while take(";") {
      guard parameters.entries.count < limits.members else { throw fault(.tooManyMembers) }
      skipSpaces()
      let start = index
      let key = try key()
      let value: BareItem = take("=") ? try bareItem() : .boolean(true)
      guard parameters.set(key, to: value) || limits.allowsDuplicateKeys else {
        throw StructuredFieldError(rule: .duplicateKey, offset: start)
      }
    }
    return parameters
  }

  private mutating func key() throws(StructuredFieldError) -> String {
    guard let first = peek, (0x61...0x7A).contains(first) || first == UInt8(ascii: "*") else {
      throw fault(index < bytes.count ? .key : .endOfText)
    }
    return text(while: Self.isInKey)
  }

  /// Whether a text can be a key.
  static func isKey(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first) || first == UInt8(ascii: "*") else {
      return false
    }
    return text.utf8.allSatisfy(isInKey)
  }

  private static func isInKey(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x30...0x39: true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "*"): true
    default: false
    }
  }
}

/// A violation of the syntax of structured fields (RFC 9651, section 4.2), or of a limit.
struct StructuredFieldError: Error, Sendable, Hashable {
  /// The rule that is violated.
  enum Rule: String, Sendable, Hashable {
    case tooLong = "the value is longer than allowed"
    case tooManyMembers = "there are more members than allowed"
    case notASCII = "a character is not ASCII"
    case endOfText = "the value ends where a member or an item must follow"
    case trailingComma = "no member follows a comma"
    case missingComma = "members must be separated by commas"
    case trailingText = "text follows the end of the item"
    case key = "a key begins with a lower-case letter or an asterisk"
    case duplicateKey = "a key occurs more than once"
    case item = "an item begins with a digit, a minus sign, a letter or one of * \" : ? @ %"
    case number = "a number has digits, at most 15, or 12 and three after a point"
    case string = "a string has printable ASCII characters and ends with a quotation mark"
    case escape = "a backslash precedes a backslash or a quotation mark"
    case base64 = "a byte sequence is canonical base64 that ends with a colon"
    case boolean = "a boolean is ?0 or ?1"
    case date = "a date is an integer after an at sign"
    case displayString =
      "a display string is UTF-8 in lower-case percent encoding, in quotation marks after %"
    case innerList = "the items of an inner list are separated by spaces and end with a parenthesis"
  }

  let rule: Rule
  /// The number of bytes of the value before the fault.
  let offset: Int
}
