/// A line of a screen, split into text and URLs.
struct LinkedLine: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case text(String)
    case link(String)
  }

  let parts: [Part]

  /// Finds the words that begin with one of the schemes; trailing punctuation is not part of a URL.
  init(_ line: String, schemes: [String] = ["estate", "https", "http"]) {
    var parts: [Part] = []
    var text = ""
    for (index, word) in line.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { text += " " }
      guard schemes.contains(where: { word.hasPrefix("\($0)://") }) else {
        text += word
        continue
      }
      var url = word
      while let last = url.last, ".,;:!?)]}>»”'\"".contains(last) { url.removeLast() }
      if !text.isEmpty { parts.append(.text(text)) }
      parts.append(.link(String(url)))
      text = String(word[url.endIndex...])
    }
    if !text.isEmpty { parts.append(.text(text)) }
    self.parts = parts
  }
}
