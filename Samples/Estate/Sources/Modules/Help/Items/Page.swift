/// A page of the web as text.
struct Page: Sendable, Hashable {
  let title: String
  let lines: [String]

  /// Extracts title and text from HTML; tags are dropped, and each block begins a line.
  init(html: String) {
    var text = ""
    var title = ""
    var rest = html[...]
    while let tagStart = rest.firstIndex(of: "<") {
      text += rest[..<tagStart]
      guard let tagEnd = rest[tagStart...].firstIndex(of: ">") else {
        rest = ""
        break
      }
      let tag = rest[tagStart...].dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "/" }
      rest = rest[rest.index(after: tagEnd)...]
      if ["title", "style", "script"].contains(tag) {
        // Their content is not markup until their end tag.
        let end = rest.ranges(of: "</\(tag)").first?.lowerBound ?? rest.endIndex
        if tag == "title" { title += rest[..<end] }
        rest = rest[end...]
      }
      if ["p", "h1", "h2", "h3", "li", "br", "div", "tr"].contains(tag) { text += "\n" }
    }
    text += rest
    self.title = Self.unescaped(title).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    lines = Self.unescaped(text).split(whereSeparator: \.isNewline)
      .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  private static func unescaped(_ text: String) -> String {
    var text = text
    for (entity, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
    ] {
      text = text.split(separator: entity, omittingEmptySubsequences: false).joined(separator: character)
    }
    return text
  }
}
