/// Parses the `.http` files of editors: requests between lines of `###`, as in HTTP/1.1.
struct HTTPFileParser {
  private var cursor: TextCursor
  private var definitions: [String: Template] = [:]

  init(_ source: SourceText) { cursor = TextCursor(source) }

  /// What comments set for the request that follows them.
  private struct Header {
    var name: String?
    var options: [Parameter] = []
  }

  /// Returns the requests and the variables of the file.
  mutating func file() throws(FileFault) -> (entries: [Entry], definitions: [String: Template]) {
    var entries: [Entry] = []
    var names: Set<String> = []
    while !cursor.isAtEnd {
      guard entries.count < RequestFile.maximumEntries else {
        throw fault("The file has more than \(RequestFile.maximumEntries) requests; divide it.")
      }
      if let entry = try entry() {
        if let name = entry.name, entry.isReferable, !names.insert(name).inserted {
          throw FileFault("Two requests have the name \"\(name)\"; rename one.", at: entry.span)
        }
        entries.append(entry)
      }
    }
    return (entries, definitions)
  }

  private func fault(_ message: String) -> FileFault { FileFault(message, at: cursor.restOfLine) }

  private var isAtSeparator: Bool { cursor.isAt("###") }

  private mutating func entry() throws(FileFault) -> Entry? {
    var header = Header()
    var title: String?
    if cursor.take("###") {
      title = restOfLine()
      cursor.skipLine()
    }
    while !cursor.isAtEnd, !isAtSeparator {
      cursor.skipSpaces()
      if cursor.isAtLineEnd {
        cursor.skipLine()
      } else if cursor.isAt("#") || cursor.isAt("//") {
        try comment(&header)
      } else if cursor.isAt("@") {
        try definition()
      } else if cursor.isAt("<") {
        throw fault("Scripts before a request are not supported; set variables with @name = value.")
      } else {
        return try request(header, title: title)
      }
    }
    guard header.name == nil else {
      throw fault("A name is followed by no request; write one after it, or remove the name.")
    }
    return nil
  }

  private func restOfLine() -> String {
    let span = cursor.restOfLine
    let text = cursor.text(span.start..<span.end)
    return String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " }.reversed())
  }

  /// Parses a comment, which may have a directive such as "# @name login".
  private mutating func comment(_ header: inout Header) throws(FileFault) {
    let start = cursor.index
    _ = cursor.take { $0 == "#" || $0 == "/" }
    cursor.skipSpaces()
    defer { cursor.skipLine() }
    guard cursor.take("@") else { return }
    let directive = cursor.take { $0 == "-" || $0.properties.isAlphabetic }
    cursor.skipSpaces()
    if cursor.take("=") { cursor.skipSpaces() }
    let argument = restOfLine()
    let span = Span(start: start, end: cursor.restOfLine.end)
    func option(_ name: String, _ value: String) -> Parameter {
      Parameter(
        name: Template(parts: [.text(name)], span: span), value: Template(parts: [.text(value)], span: span))
    }
    switch directive {
    case "name":
      guard !argument.isEmpty, argument.unicodeScalars.allSatisfy(TextCursor.isNamePart) else {
        throw FileFault("The name of a request has letters, digits, _ and -; rename it.", at: span)
      }
      header.name = argument
    case "no-redirect": header.options.append(option("location", "false"))
    case "no-cookie-jar": header.options.append(option("no-cookie-store", "true"))
    case "timeout", "connection-timeout":
      let words = argument.split(separator: " ")
      guard let number = words.first, words.count <= 2 else {
        throw FileFault(
          "@\(directive) is followed by seconds; write for example # @\(directive) 5.", at: span)
      }
      let value = "\(number)\(words.count == 2 ? words[1] : "s")"
      let parameter = option(directive == "timeout" ? "max-time" : "connect-timeout", value)
      try EntryOptions.check(parameter)
      header.options.append(parameter)
    default:
      throw FileFault(
        "The directive @\(directive) is not supported; known are @name, @no-redirect, @no-cookie-jar, @timeout and @connection-timeout.",
        at: span)
    }
  }

  /// Parses "@name = value".
  private mutating func definition() throws(FileFault) {
    let start = cursor.index
    cursor.index += 1
    let name = cursor.take(while: TextCursor.isNamePart)
    cursor.skipSpaces()
    guard !name.isEmpty, cursor.take("=") else {
      cursor.index = start
      throw fault("A variable is @name = value, with a name of letters, digits, _ and -.")
    }
    cursor.skipSpaces()
    guard definitions.count < 10_000 || definitions[name] != nil else {
      throw fault("The file has more than 10000 variables; remove some.")
    }
    definitions[name] = try lineTemplate()
    cursor.skipLine()
  }

  // MARK: Requests

  private mutating func request(_ header: Header, title: String?) throws(FileFault) -> Entry {
    let start = cursor.index
    var method = "GET"
    let word = cursor.word
    if !word.isEmpty, word.unicodeScalars.allSatisfy({ ("A"..."Z").contains($0) || $0 == "-" }) {
      method = word
      cursor.index += word.unicodeScalars.count
    }
    let span = Span(start: start, end: max(cursor.index, start + 1))
    cursor.skipSpaces()
    var entry = Entry(span: span, method: method, url: try url())
    (entry.name, entry.options) = (header.name ?? (title?.isEmpty == false ? title : nil), header.options)
    entry.isReferable = header.name != nil
    try fields(&entry)
    entry.body = try body(of: entry)
    return entry
  }

  /// Parses a URL; lines that begin with `?` or `&` continue it.
  private mutating func url() throws(FileFault) -> Template {
    let start = cursor.index
    var template = try lineTemplate()
    cursor.skipLine()
    guard !template.parts.isEmpty else {
      throw FileFault(
        "The method is not followed by a URL; write one after it.", at: Span(start: start, end: start))
    }
    while true {
      let lineStart = cursor.index
      cursor.skipSpaces()
      guard cursor.next == "?" || cursor.next == "&" else {
        cursor.index = lineStart
        return Self.withoutVersion(template)
      }
      template.parts += try lineTemplate().parts
      cursor.skipLine()
    }
  }

  /// Removes a version after the URL, because it is negotiated.
  private static func withoutVersion(_ template: Template) -> Template {
    var template = template
    if case .text(let text)? = template.parts.last, let version = text.firstRange(of: " HTTP/") {
      template.parts[template.parts.count - 1] = .text(String(text[..<version.lowerBound]))
    }
    return template
  }

  /// Parses the rest of a line, without spaces at its end.
  private mutating func lineTemplate(keepingSpaces: Bool = false) throws(FileFault) -> Template {
    let start = cursor.index
    var builder = TemplateBuilder()
    while let scalar = cursor.next, !cursor.isAtLineEnd {
      if let expression = try cursor.expression({ $0 != "}" && $0 != "{" && $0 != "\n" && $0 != "\r" }) {
        builder.append(expression)
      } else {
        builder.append(scalar)
        cursor.index += 1
      }
    }
    if !keepingSpaces { builder.trimEnd() }
    return builder.template(cursor.span(from: start))
  }

  /// Parses header fields up to an empty line.
  private mutating func fields(_ entry: inout Entry) throws(FileFault) {
    while !cursor.isAtEnd, !isAtSeparator {
      cursor.skipSpaces()
      if cursor.isAtLineEnd {
        cursor.skipLine()
        return
      }
      if cursor.isAt("#") || cursor.isAt("//") {
        cursor.skipLine()
        continue
      }
      let start = cursor.index
      let name = cursor.take { $0 != ":" && $0 != " " && $0 != "\n" && $0 != "\r" }
      let nameSpan = cursor.span(from: start)
      cursor.skipSpaces()
      guard !name.isEmpty, cursor.take(":") else {
        cursor.index = start
        throw fault("This line is no header field \"Name: value\"; put an empty line before the body.")
      }
      cursor.skipSpaces()
      let value = try lineTemplate()
      cursor.skipLine()
      entry.fields.append(Parameter(name: Template(parts: [.text(name)], span: nameSpan), value: value))
    }
  }

  /// Parses a body up to the next separator; nil if it has only empty lines.
  private mutating func body(of entry: Entry) throws(FileFault) -> Body? {
    var pieces: [Body.Piece] = []
    var contentCount = 0
    let isForm = entry.fields.contains {
      $0.plainName.lowercased() == "content-type"
        && ($0.value.plainText ?? "").lowercased().hasPrefix("application/x-www-form-urlencoded")
    }
    while !cursor.isAtEnd, !isAtSeparator {
      if cursor.isAt("> ") || cursor.isAt(">>") || cursor.isAt("<> ") || cursor.isAt("> {%") {
        throw fault(
          "Scripts and saved responses are not supported; write assertions in the format of hurl (FILE.hurl)."
        )
      }
      let isTemplate = cursor.isAt("<@")
      if isTemplate || cursor.isAt("< ") {
        cursor.index += isTemplate ? 2 : 1
        cursor.skipSpaces()
        pieces.append(.file(try lineTemplate(), hasPlaceholders: isTemplate))
        contentCount = pieces.count
      } else {
        if isForm { cursor.skipSpaces() }
        let line = try lineTemplate(keepingSpaces: !isForm)
        pieces.append(.line(line))
        if !line.parts.isEmpty { contentCount = pieces.count }
      }
      cursor.skipLine()
    }
    guard contentCount > 0 else { return nil }
    let isMultipart = entry.fields.contains {
      $0.plainName.lowercased() == "content-type"
        && ($0.value.plainText ?? "").lowercased().hasPrefix("multipart/")
    }
    // The parts of a form are divided by CR LF, and its fields can be written on lines.
    return .pieces(Array(pieces.prefix(contentCount)), lineEnd: isForm ? "" : isMultipart ? "\r\n" : "\n")
  }
}
