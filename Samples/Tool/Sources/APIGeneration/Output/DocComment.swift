/// Turns descriptions of a document into the lines of doc comments.
enum DocComment {
  /// Returns the lines of a description, wrapped, without trailing spaces and empty lines at its ends.
  static func lines(_ text: String?) -> [String] {
    guard let text else { return [] }
    var lines: [String] = []
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      // Control characters would end the comment or garble it.
      let scalars = line.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
      lines += wrapped(String(String.UnicodeScalarView(scalars)))
    }
    while lines.first?.isEmpty == true { lines.removeFirst() }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Returns lines with the note that what they describe is deprecated.
  static func deprecated(_ lines: [String]) -> [String] {
    (lines.isEmpty ? [] : lines + [""]) + ["- Note: Deprecated by the service."]
  }

  private static func wrapped(_ line: String) -> [String] {
    var lines: [String] = []
    var current = String(line.prefix { $0 == " " })
    var isFirst = true
    for word in line.split(separator: " ") {
      if !isFirst, current.count + 1 + word.count > 96 {
        lines.append(current)
        current = String(word)
      } else {
        current += (isFirst ? "" : " ") + word
      }
      isFirst = false
    }
    return lines + [current.allSatisfy { $0 == " " } ? "" : current]
  }
}
