extension HurlParser {
  private static let wordStarts: [String] = ["base64,", "hex,", "file,", "```", "`"]

  /// Whether the content of a message is next.
  var isAtBody: Bool {
    var cursor = cursor
    cursor.skipSpaces()
    guard let scalar = cursor.next else { return false }
    switch scalar {
    case "{": return !cursor.isAt("{{")
    case "[", "<", "\"": return !isSectionLine(cursor)
    default: break
    }
    if Self.wordStarts.contains(where: cursor.isAt) { return true }
    let word = cursor.word
    guard ["true", "false", "null"].contains(word) || Value.number(word) != nil else { return false }
    cursor.index += word.unicodeScalars.count
    cursor.skipSpaces()
    return cursor.isAtLineEnd || cursor.next == "#"
  }

  private func isSectionLine(_ cursor: TextCursor) -> Bool {
    var copy = self
    copy.cursor = cursor
    return (try? copy.sectionName()).flatMap { $0 } != nil
  }

  /// Parses the content of a message, and by default the end of its line.
  mutating func body(endingLine: Bool = true) throws(FileFault) -> Body {
    cursor.skipSpaces()
    let start = cursor.index
    let body: Body
    if cursor.isAt("```") {
      body = try multilineText()
    } else if cursor.isAt("`") {
      body = .text(try onelineText(), .plain)
    } else if cursor.isAt("base64,") || cursor.isAt("hex,") {
      body = .bytes(try byteLiteral(), cursor.span(from: start))
    } else if cursor.isAt("file,") {
      body = .file(try fileName())
    } else if cursor.isAt("<") {
      body = .text(try xmlText(), .xml)
    } else {
      body = .text(try jsonText(), .json)
    }
    if endingLine { try endLine(after: "the body") }
    return body
  }

  /// Parses "file,NAME;".
  mutating func fileName() throws(FileFault) -> Template {
    let start = cursor.index
    guard cursor.take("file,") else { throw fault("A file is file,NAME;.") }
    cursor.skipSpaces()
    let nameStart = cursor.index
    var builder = TemplateBuilder()
    while let scalar = cursor.next, scalar != ";" {
      guard !cursor.isAtLineEnd else { break }
      if let expression = try cursor.expression() {
        builder.append(expression)
      } else if scalar == "\\" {
        builder.append(try escape())
      } else {
        builder.append(scalar)
        cursor.index += 1
      }
    }
    builder.trimEnd()
    let template = builder.template(cursor.span(from: nameStart))
    guard !template.parts.isEmpty, cursor.take(";") else {
      throw FileFault(
        "A file is file,NAME; with a semicolon after the name.", at: Span(start: start, end: cursor.index))
    }
    return template
  }

  /// Parses "hex,DIGITS;" or "base64,TEXT;".
  mutating func byteLiteral() throws(FileFault) -> [UInt8] {
    let start = cursor.index
    let isHex = cursor.take("hex,")
    if !isHex { _ = cursor.take("base64,") }
    let end = cursor.scalars[cursor.index...].firstIndex(of: ";")
    guard let end else {
      throw FileFault("A literal of bytes has no semicolon at its end; add it.", at: cursor.span(from: start))
    }
    let text = cursor.text(cursor.index..<end).filter { !$0.isWhitespace }
    cursor.index = end + 1
    guard let bytes = isHex ? Hexadecimal.bytes(text) : Base64Text.bytes(text) else {
      throw FileFault(
        isHex ? "hex, is followed by pairs of hexadecimal digits." : "base64, is followed by Base64.",
        at: Span(start: start, end: cursor.index))
    }
    return bytes
  }

  private mutating func multilineText() throws(FileFault) -> Body {
    let start = cursor.index
    _ = cursor.take("```")
    let headStart = cursor.index
    let head = cursor.take { $0 != "\n" && $0 != "\r" && $0 != "`" }
    var words: [String] = []
    if cursor.isAtLineEnd {
      words = head.split(separator: ",").map { $0.filter { $0 != " " } }
      cursor.skipLine()
    } else {
      // Without a line break, what follows is the text.
      cursor.index = headStart
    }
    var kind = Body.TextKind.plain
    var hasPlaceholders = true
    var hasEscapes = false
    for word in words {
      switch word {
      case "", "raw": break
      case "json": kind = .json
      case "xml": kind = .xml
      case "graphql": kind = .graphQL
      case "escape": hasEscapes = true
      case "novariable": hasPlaceholders = false
      case "hex", "base64":
        throw FileFault(
          "A text of \(word) is written as \(word),…; without lines of ```.",
          at: Span(start: headStart, end: headStart + head.unicodeScalars.count))
      default:
        throw unknown(
          "kind of text", "\"\(word)\"", Span(start: headStart, end: headStart + head.unicodeScalars.count),
          among: ["json", "xml", "graphql", "raw", "escape", "novariable"])
      }
    }
    let textStart = cursor.index
    var builder = TemplateBuilder()
    while !cursor.isAt("```") {
      guard let scalar = cursor.next else {
        throw FileFault("A text has no ``` at its end; add it.", at: Span(start: start, end: start + 3))
      }
      if hasPlaceholders, let expression = try cursor.expression() {
        builder.append(expression)
      } else if hasEscapes, scalar == "\\" {
        builder.append(try escape())
      } else {
        builder.append(scalar)
        cursor.index += 1
      }
    }
    let template = builder.template(cursor.span(from: textStart))
    _ = cursor.take("```")
    return .text(template, kind)
  }

  /// Parses a text between single backquotes.
  mutating func onelineText() throws(FileFault) -> Template {
    let start = cursor.index
    _ = cursor.take("`")
    var builder = TemplateBuilder()
    while let scalar = cursor.next, scalar != "`", !cursor.isAtLineEnd {
      if let expression = try cursor.expression() {
        builder.append(expression)
      } else if scalar == "\\" {
        builder.append(try escape())
      } else {
        builder.append(scalar)
        cursor.index += 1
      }
    }
    guard cursor.take("`") else {
      throw FileFault("A text has no ` at its end; add it.", at: Span(start: start, end: cursor.index))
    }
    return builder.template(cursor.span(from: start))
  }

  /// Parses a value of JSON with placeholders; it ends where its brackets are closed.
  private mutating func jsonText() throws(FileFault) -> Template {
    let start = cursor.index
    var builder = TemplateBuilder()
    var depth = 0
    var isInString = false
    while let scalar = cursor.next {
      if let expression = try cursor.expression() {
        builder.append(expression)
        continue
      }
      if !isInString, depth == 0, cursor.index > start, !"\"{[".unicodeScalars.contains(cursor.scalars[start])
      {
        // A number or a word ends with the line.
        if cursor.isAtLineEnd || scalar == "#" || scalar == " " { break }
      }
      builder.append(scalar)
      cursor.index += 1
      if isInString {
        if scalar == "\\", let escaped = cursor.next {
          builder.append(escaped)
          cursor.index += 1
        } else if scalar == "\"" {
          isInString = false
          if depth == 0 { break }
        }
        continue
      }
      switch scalar {
      case "\"": isInString = true
      case "{", "[":
        depth += 1
        guard depth <= JSONText.maximumDepth else {
          throw FileFault(
            "The JSON is nested more than \(JSONText.maximumDepth) deep; send it with file,NAME;.",
            at: Span(start: cursor.index - 1, end: cursor.index))
        }
      case "}", "]": depth -= 1
      default: break
      }
      if depth == 0, scalar == "}" || scalar == "]" { break }
    }
    guard depth == 0, !isInString else {
      throw FileFault(
        "The JSON has no end; close its brackets and strings.", at: Span(start: start, end: start + 1))
    }
    let template = builder.template(cursor.span(from: start))
    if let text = template.plainText { try checkJSON(text, from: start) }
    return template
  }

  private func checkJSON(_ text: String, from start: Int) throws(FileFault) {
    do throws(JSONText.Fault) {
      _ = try JSONText.value(Array(text.utf8))
    } catch {
      // The offset is one of bytes.
      let before = String(decoding: text.utf8.prefix(error.offset), as: UTF8.self).unicodeScalars.count
      throw FileFault(
        "The body is no JSON: \(error.reason). Correct it, or write it between lines of ```.",
        at: Span(start: start + before, end: start + before + 1))
    }
  }

  /// Parses an element of XML with placeholders; it ends with its end tag.
  private mutating func xmlText() throws(FileFault) -> Template {
    let start = cursor.index
    var builder = TemplateBuilder()
    var depth = 0
    while let scalar = cursor.next {
      if let expression = try cursor.expression() {
        builder.append(expression)
        continue
      }
      guard scalar == "<" else {
        builder.append(scalar)
        cursor.index += 1
        continue
      }
      let (end, change) = xmlTag()
      guard let end else { break }
      while cursor.index < end, let scalar = cursor.next {
        if let expression = try cursor.expression() {
          builder.append(expression)
        } else {
          builder.append(scalar)
          cursor.index += 1
        }
      }
      guard let change else { continue }
      depth += change
      if depth <= 0 { return builder.template(cursor.span(from: start)) }
    }
    throw FileFault(
      "The XML has no end; close its elements, or write it between lines of ```xml and ```.",
      at: Span(start: start, end: start + 1))
  }

  /// Returns the end of the tag that is next, and how it changes the depth: nil if it is no element.
  private func xmlTag() -> (end: Int?, change: Int?) {
    for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")]
    where cursor.isAt(opening) {
      return (end(of: closing), nil)
    }
    guard let end = end(of: ">") else { return (nil, nil) }
    if cursor.isAt("</") { return (end, -1) }
    return (end, cursor.scalars[end - 2] == "/" ? 0 : 1)
  }

  private func end(of text: String) -> Int? {
    var copy = cursor
    while !copy.isAtEnd {
      if copy.take(text) { return copy.index }
      copy.index += 1
    }
    return nil
  }
}

/// Base64 (RFC 4648).
enum Base64Text {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  static func text(_ bytes: [UInt8], isForURLs: Bool = false) -> String {
    let digits = digits + (isForURLs ? "-_" : "+/").utf8
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let number = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for index in 0...group.count {
        text.append(digits[Int(number >> (18 - 6 * UInt32(index)) & 63)])
      }
      if !isForURLs { text += Array(repeating: UInt8(ascii: "="), count: 3 - group.count) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes of a text, whose padding may be missing; nil for other characters.
  static func bytes(_ text: String, isForURLs: Bool = false) -> [UInt8]? {
    let alphabet = digits + (isForURLs ? "-_" : "+/").utf8
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
    let unpadded = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
    guard unpadded.count % 4 != 1, text.utf8.count - unpadded.count <= 2 else { return nil }
    var bytes: [UInt8] = []
    var (number, bits): (UInt32, UInt32) = (0, 0)
    for digit in unpadded {
      guard let value = values[Int(digit)] else { return nil }
      number = (number << 6 | UInt32(value)) & 0xFFFF
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: number >> bits))
    }
    return bytes
  }
}
