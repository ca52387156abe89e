extension BidirectionalCollection where SubSequence == Self, Element == UInt8 {
  /// Returns the bytes without surrounding spaces and tabs, the optional white space of RFC 9110, section
  /// 5.6.3.
  @inlinable
  package func trimmingWhitespace() -> Self {
    var rest = self
    while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
    return rest
  }
}

extension Substring {
  /// Returns the text without surrounding spaces and tabs, the optional white space of RFC 9110, section
  /// 5.6.3.
  package func trimmingWhitespace() -> Substring { Substring(utf8.trimmingWhitespace()) }
}
