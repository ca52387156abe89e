extension Substring {
  /// Returns the text without surrounding spaces and tabs, the optional white space of RFC 9110, section
  /// 5.6.3.
  func trimmingWhitespace() -> Substring {
    var rest = self
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return rest
  }
}
