/// A place in the text of a file that moves forward.
struct TextCursor {
  let scalars: [Unicode.Scalar]
  var index = 0

  init(_ source: SourceText) { scalars = source.scalars }

  var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
  var isAtEnd: Bool { index >= scalars.count }

  func isAt(_ text: String) -> Bool { scalars[index...].starts(with: text.unicodeScalars) }

  /// Moves behind a text, if it is next.
  mutating func take(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    index += text.unicodeScalars.count
    return true
  }

  /// Moves behind scalars, and returns them.
  mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
    let start = index
    while let scalar = next, condition(scalar) { index += 1 }
    return text(start..<index)
  }

  func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  mutating func skipSpaces() {
    while let scalar = next, scalar == " " || scalar == "\t" { index += 1 }
  }

  /// Whether the line ends here, with or without a carriage return.
  var isAtLineEnd: Bool {
    guard let scalar = next else { return true }
    return scalar == "\n" || scalar == "\r" && (index + 1 == scalars.count || scalars[index + 1] == "\n")
  }

  /// Moves to the beginning of the next line.
  mutating func skipLine() {
    while let scalar = next, scalar != "\n" { index += 1 }
    if !isAtEnd { index += 1 }
  }

  /// The place of the rest of the line.
  var restOfLine: Span {
    var end = index
    while end < scalars.count, scalars[end] != "\n", scalars[end] != "\r" { end += 1 }
    return Span(start: index, end: max(end, index))
  }

  /// Returns the word that is next, for messages.
  var word: String {
    let end =
      scalars[index...].firstIndex { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" } ?? scalars.count
    return text(index..<min(end, index + 40))
  }

  var wordSpan: Span { Span(start: index, end: index + word.unicodeScalars.count) }

  func span(from start: Int) -> Span { Span(start: start, end: index) }

  /// Parses a placeholder, if one begins here; between its braces stands what `isName` permits.
  mutating func expression(
    _ isName: (Unicode.Scalar) -> Bool = TextCursor.isNamePart
  ) throws(FileFault) -> Template.Expression? {
    let start = index
    guard take("{{") else { return nil }
    skipSpaces()
    let name = take(while: isName)
    let trimmed = name.last == " " ? String(name.reversed().drop { $0 == " " }.reversed()) : name
    skipSpaces()
    guard !trimmed.isEmpty, take("}}") else {
      throw FileFault(
        "A placeholder is {{name}}, with a name of letters, digits, _ and -.",
        at: Span(start: start, end: start + 2))
    }
    return Template.Expression(name: trimmed, span: span(from: start))
  }

  static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "-" || ("0"..."9").contains(scalar) || scalar.properties.isAlphabetic
  }
}

/// Collects the parts of a template.
struct TemplateBuilder {
  private(set) var parts: [Template.Part] = []
  private var text = String.UnicodeScalarView()

  mutating func append(_ scalar: Unicode.Scalar) { text.append(scalar) }

  mutating func append(_ expression: Template.Expression) {
    flush()
    parts.append(.expression(expression))
  }

  mutating func trimEnd() {
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
  }

  private mutating func flush() {
    guard !text.isEmpty else { return }
    parts.append(.text(String(text)))
    text = String.UnicodeScalarView()
  }

  mutating func template(_ span: Span) -> Template {
    flush()
    return Template(parts: parts, span: span)
  }
}
