extension RoutePattern {
  /// The kind of values that a placeholder accepts.
  ///
  /// As sets of texts: int ⊂ double ⊂ text, uuid ⊂ text, bool ⊂ text; any other two of these are
  /// disjoint. An enumeration is included in a kind if all its texts are, and overlaps a kind that has only
  /// some of them.
  package enum ValueKind: Sendable, Hashable {
    /// `true` or `false`.
    case bool
    /// Hexadecimal digits in the form 8-4-4-4-12.
    case uuid
    /// Decimal digits, optionally preceded by `-`, that fit in 64 bits.
    case int
    /// A finite decimal number: `-1`, `2.50`, `6e-3`.
    case double
    /// Any non-empty text.
    case text
    /// One of at least two texts, written `house|condo|multi` in a pattern.
    case oneOf([String])

    /// The kinds that have a name, in the order in which they are tried.
    static let named: [ValueKind] = [.bool, .uuid, .int, .double, .text]

    /// The named kind with a name; nil if there is none.
    init?(named name: String) {
      guard let kind = Self.named.first(where: { $0.description == name }) else { return nil }
      self = kind
    }

    /// A phrase that describes the kind in messages.
    var words: String {
      switch self {
      case .bool: "\"true\" or \"false\""
      case .uuid: "a UUID in the form 8-4-4-4-12"
      case .int: "a decimal integer of at most 64 bits"
      case .double: "a finite decimal number"
      case .text: "a non-empty text"
      case .oneOf(let texts):
        "one of " + texts.map { "\"\($0)\"" }.joined(separator: ", ")
      }
    }

    /// A text of this kind and of no narrower kind.
    var sample: String {
      switch self {
      case .bool: "true"
      case .uuid: "00000000-0000-4000-8000-000000000000"
      case .int: "1"
      case .double: "1.5"
      case .text: "x"
      case .oneOf(let texts): texts.first ?? ""
      }
    }

    /// All texts of the kind, if they can be listed.
    var texts: [String]? {
      switch self {
      case .bool: ["true", "false"]
      case .oneOf(let texts): texts
      case .uuid, .int, .double, .text: nil
      }
    }

    /// Returns whether every text of this kind is also of the other kind.
    package func isIncluded(in other: ValueKind) -> Bool {
      if let texts { return texts.allSatisfy { other.matches($0) } }
      return self == other || other == .text || (self == .int && other == .double)
    }

    /// Returns a text that is of both kinds, or nil if there is none.
    func commonText(with other: ValueKind) -> String? {
      if let texts { return texts.first { other.matches($0) } }
      if let texts = other.texts { return texts.first { matches($0) } }
      return isIncluded(in: other) ? sample : other.isIncluded(in: self) ? other.sample : nil
    }

    /// Returns whether some text is of both kinds.
    func meets(_ other: ValueKind) -> Bool { commonText(with: other) != nil }

    /// The kind's position in the order in which kinds are tried, so that each precedes those that include
    /// it.
    ///
    /// Enumerations share one position; those with fewer texts are tried first. `bool` precedes them because
    /// they have at least two texts.
    var rank: Int {
      switch self {
      case .bool: 0
      case .oneOf: Self.enumerationRank
      case .uuid: 2
      case .int: 3
      case .double: 4
      case .text: Self.textRank
      }
    }

    /// Returns whether the kind is tried before another one.
    func precedes(_ other: ValueKind) -> Bool {
      (rank, texts?.count ?? 0) < (other.rank, other.texts?.count ?? 0)
    }

    /// Returns whether both kinds have the same texts.
    func isSame(as other: ValueKind) -> Bool { isIncluded(in: other) && other.isIncluded(in: self) }

    static let enumerationRank = 1
    /// The last rank, because every kind is included in `text`.
    static let textRank = 5

    /// Returns whether a text is of this kind.
    package func matches(_ text: String) -> Bool {
      SpanAccess.withBytes(of: text) { matches($0) }
    }

    /// Returns whether decoded bytes are a text of this kind.
    ///
    /// Allocates only for a number close to the limit of `Double`.
    func matches(_ bytes: Span<UInt8>) -> Bool {
      switch self {
      case .bool: Self.isBoolean(bytes)
      case .uuid: Self.isUUID(bytes)
      case .int: Self.isInteger(bytes)
      case .double: Self.isNumber(bytes)
      case .text: !bytes.isEmpty
      case .oneOf(let texts): Self.contains(texts, bytes)
      }
    }

    private static func contains(_ texts: [String], _ bytes: Span<UInt8>) -> Bool {
      for text in texts {
        var offset = 0
        for byte in text.utf8 {
          guard offset < bytes.count, bytes[offset] == byte else { break }
          offset += 1
        }
        if offset == bytes.count, offset == text.utf8.count { return true }
      }
      return false
    }
  }
}

extension RoutePattern.ValueKind: CustomStringConvertible {
  /// The kind as it is written in a pattern.
  package var description: String {
    switch self {
    case .bool: "bool"
    case .uuid: "uuid"
    case .int: "int"
    case .double: "double"
    case .text: "text"
    case .oneOf(let texts): texts.map(PercentEncoding.encode).joined(separator: "|")
    }
  }
}

extension RoutePattern.ValueKind {
  static func isBoolean(_ bytes: Span<UInt8>) -> Bool {
    switch bytes.count {
    case 4: ByteWords.load(bytes, at: 0, count: 4) == 0x6575_7274  // "true", lowest byte first
    case 5: ByteWords.load(bytes, at: 0, count: 5) == 0x65_736C_6166  // "false"
    default: false
    }
  }

  static func isUUID(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count == 36 else { return false }
    for position in bytes.indices {
      switch position {
      case 8, 13, 18, 23: if bytes[position] != UInt8(ascii: "-") { return false }
      default: if PercentEncoding.digit(bytes[position]) == nil { return false }
      }
    }
    return true
  }

  static func isInteger(_ bytes: Span<UInt8>) -> Bool {
    guard !bytes.isEmpty else { return false }
    let isNegative = bytes[0] == UInt8(ascii: "-")
    var position = isNegative ? 1 : 0
    if position == bytes.count { return false }
    var value: Int64 = 0
    while position < bytes.count {
      guard isDigit(bytes[position]) else { return false }
      let (product, tooBig) = value.multipliedReportingOverflow(by: 10)
      // Accumulates a negative value, because the lowest integer has no positive counterpart.
      let (difference, tooFar) = product.subtractingReportingOverflow(Int64(bytes[position] - 0x30))
      if tooBig || tooFar { return false }
      value = difference
      position += 1
    }
    return isNegative || value != .min
  }

  static func isNumber(_ bytes: Span<UInt8>) -> Bool {
    var position = 0
    if position < bytes.count, bytes[position] == UInt8(ascii: "-") { position += 1 }
    let whole = position
    guard skipDigits(bytes, &position) else { return false }
    let wholeEnd = position
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      guard skipDigits(bytes, &position) else { return false }
    }
    let end = position
    var exponent = 0
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
      if isNegative || position < bytes.count && bytes[position] == UInt8(ascii: "+") { position += 1 }
      let first = position
      guard skipDigits(bytes, &position) else { return false }
      for digit in first..<position { exponent = min(exponent * 10 + Int(bytes[digit] - 0x30), 1_000_000) }
      if isNegative { exponent.negate() }
    }
    guard position == bytes.count else { return false }
    return isFinite(bytes, whole: whole, point: wholeEnd, end: end, exponent: exponent)
  }

  /// Returns whether a well-formed decimal number is within the range of `Double`.
  private static func isFinite(
    _ bytes: Span<UInt8>, whole: Int, point: Int, end: Int, exponent: Int
  ) -> Bool {
    var first = whole
    while first < end, bytes[first] == UInt8(ascii: "0") || bytes[first] == UInt8(ascii: ".") { first += 1 }
    if first == end { return true }
    // The power of ten of the first significant digit; the largest double is 1.79…e308.
    let power = exponent + (first < point ? point - first - 1 : point - first)
    if power != 308 { return power < 308 }
    var text = ""
    for position in bytes.indices { text.unicodeScalars.append(Unicode.Scalar(bytes[position])) }
    return Double(text)?.isFinite == true
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Moves past the digits at a position, and returns whether there is at least one.
  private static func skipDigits(_ bytes: Span<UInt8>, _ position: inout Int) -> Bool {
    let first = position
    while position < bytes.count, isDigit(bytes[position]) { position += 1 }
    return position > first
  }
}
