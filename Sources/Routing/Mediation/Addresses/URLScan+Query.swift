extension URLScan {
  /// Checks the fields of a query and returns the offset after it.
  static func scanFields(_ bytes: Span<UInt8>, from start: Int) throws(RouteURL.SyntaxError) -> Int {
    let count = bytes.count
    var part = URLPart(from: start)
    var isName = true
    var base = start
    while base < count {
      var marks = ByteWords.marks(bytes, from: base)
      while marks != 0 {
        let at = base + marks.trailingZeroBitCount
        marks &= marks &- 1
        let byte = bytes[at]
        switch byte {
        case UInt8(ascii: "&"):
          try part.check(bytes, end: at)
          part = URLPart(from: at + 1)
          isName = true
        case UInt8(ascii: "=") where isName:
          try part.check(bytes, end: at)
          part = URLPart(from: at + 1)
          isName = false
        case UInt8(ascii: "%"): try part.addEscape(bytes, at: at)
        case UInt8(ascii: "#"):
          try part.check(bytes, end: at)
          return at
        default: try PercentEncoding.checkBare(byte, at: at)
        }
      }
      base += 64
    }
    try part.check(bytes, end: count)
    return count
  }

  /// Checks the fragment, which extends to the end of the text.
  static func scanFragment(_ bytes: Span<UInt8>, from start: Int) throws(RouteURL.SyntaxError) {
    var part = URLPart(from: start)
    for offset in start..<bytes.count {
      if bytes[offset] == UInt8(ascii: "%") {
        try part.addEscape(bytes, at: offset)
      } else {
        try PercentEncoding.checkBare(bytes[offset], at: offset)
      }
    }
    try part.checkEncoding(bytes, end: bytes.count)
  }

  /// Returns the ranges of the next query field's encoded name and value, or nil after the last field.
  func field(_ bytes: Span<UInt8>, _ start: inout Int) -> RouteURL.QueryField? {
    while start < query.upperBound {
      let first = start
      var end = start
      var equals: Int?
      while end < query.upperBound, bytes[end] != UInt8(ascii: "&") {
        if equals == nil, bytes[end] == UInt8(ascii: "=") { equals = end }
        end += 1
      }
      start = end + 1
      if end > first {
        return .init(name: first..<(equals ?? end), value: (equals.map { $0 + 1 } ?? end)..<end)
      }
    }
    return nil
  }

  /// Returns whether a query has a field with this decoded name.
  static func hasField(_ bytes: Span<UInt8>, _ query: Range<Int>, named name: Span<UInt8>) -> Bool {
    var start = query.lowerBound
    while start < query.upperBound {
      var at = start
      var position = 0
      var isEqual = true
      while at < query.upperBound, bytes[at] != UInt8(ascii: "&"), bytes[at] != UInt8(ascii: "=") {
        let byte = PercentEncoding.next(bytes, &at, plusIsSpace: true)
        if isEqual, position < name.count, name[position] == byte { position += 1 } else { isEqual = false }
      }
      // An empty piece is not a field; one that begins with "=" is a field with an empty name.
      let isField = at > start || at < query.upperBound && bytes[at] == UInt8(ascii: "=")
      if isEqual, isField, position == name.count { return true }
      while at < query.upperBound, bytes[at] != UInt8(ascii: "&") { at += 1 }
      start = at + 1
    }
    return false
  }
}
