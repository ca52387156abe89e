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
