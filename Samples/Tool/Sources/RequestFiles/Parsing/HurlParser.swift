/// Parses the format of hurl.
struct HurlParser {
  var cursor: TextCursor

  init(_ source: SourceText) { cursor = TextCursor(source) }

  /// Returns the requests of the file.
  mutating func entries() throws(FileFault) -> [Entry] {
    var entries: [Entry] = []
    while true {
      skipBlankLines()
      guard !cursor.isAtEnd else { return entries }
      guard entries.count < RequestFile.maximumEntries else {
        throw fault("The file has more than \(RequestFile.maximumEntries) requests; divide it.")
      }
      entries.append(try entry())
    }
  }

  func fault(_ message: String) -> FileFault { FileFault(message, at: cursor.wordSpan) }

  /// Skips empty lines and comments.
  mutating func skipBlankLines() {
    while !cursor.isAtEnd {
      let start = cursor.index
      cursor.skipSpaces()
      guard cursor.next == "#" || cursor.isAtLineEnd else {
        // The indentation belongs to the line.
        cursor.index = start
        return
      }
      cursor.skipLine()
    }
  }

  /// Parses the end of a line, which may have a comment.
  mutating func endLine(after subject: String) throws(FileFault) {
    cursor.skipSpaces()
    guard cursor.isAtLineEnd || cursor.next == "#" else {
      throw fault("\"\(cursor.word)\" follows \(subject); begin a new line, or a comment with #.")
    }
    cursor.skipLine()
  }

  // MARK: Requests

  private mutating func entry() throws(FileFault) -> Entry {
    cursor.skipSpaces()
    let start = cursor.index
    let method = cursor.take { ("A"..."Z").contains($0) }
    guard !method.isEmpty, cursor.next == " " || cursor.next == "\t" else {
      cursor.index = start
      throw fault("A request begins with a method and a URL, such as GET https://example.org.")
    }
    let span = cursor.span(from: start)
    cursor.skipSpaces()
    var entry = Entry(span: span, method: method, url: try url())
    try endLine(after: "the URL")
    entry.fields = try parameters()
    try requestSections(&entry)
    skipBlankLines()
    if isAtResponse { entry.expectation = try expectation() }
    return entry
  }

  private mutating func url() throws(FileFault) -> Template {
    let start = cursor.index
    var builder = TemplateBuilder()
    while let scalar = cursor.next, !cursor.isAtLineEnd {
      if let expression = try cursor.expression() {
        builder.append(expression)
      } else if scalar == " " || scalar == "\t" {
        break
      } else {
        builder.append(scalar)
        cursor.index += 1
      }
    }
    guard cursor.index > start else {
      throw fault("The method is not followed by a URL; write one after it.")
    }
    return builder.template(cursor.span(from: start))
  }

  /// Throws for a section that the message has already.
  private func note(_ name: String, _ span: Span, in names: inout Set<String>) throws(FileFault) {
    let aliases = ["QueryStringParams": "Query", "FormParams": "Form", "MultipartFormData": "Multipart"]
    guard names.insert(aliases[name] ?? name).inserted else {
      throw FileFault("There are two sections [\(name)]; move the lines to the first one.", at: span)
    }
  }

  private mutating func requestSections(_ entry: inout Entry) throws(FileFault) {
    var names: Set<String> = []
    while true {
      skipBlankLines()
      guard let (name, span) = try sectionName() else { break }
      try note(name, span, in: &names)
      switch name {
      case "Query", "QueryStringParams": entry.query = try parameters()
      case "Form", "FormParams": entry.form = try parameters()
      case "Multipart", "MultipartFormData": entry.multipart = try multipartParameters()
      case "Cookies": entry.cookies = try parameters()
      case "BasicAuth":
        let users = try parameters()
        guard users.count <= 1 else {
          throw FileFault("[BasicAuth] has more than one user; keep one line \"name: password\".", at: span)
        }
        entry.user = users.first
      case "Options":
        let options = try parameters()
        for option in options { try EntryOptions.check(option) }
        entry.options = options
      case "Asserts", "Captures":
        throw FileFault("[\(name)] belongs to a response; write a line such as HTTP 200 before it.", at: span)
      default:
        throw unknown(
          "section", "[\(name)]", span,
          among: ["Query", "Form", "Multipart", "Cookies", "BasicAuth", "Options"].map { "[\($0)]" })
      }
    }
    guard isAtBody else { return }
    let start = cursor.index
    entry.body = try body()
    if entry.form != nil || entry.multipart != nil {
      throw FileFault(
        "The request has a form and a body; remove one.", at: Span(start: start, end: start + 1))
    }
  }

  func unknown(_ kind: String, _ name: String, _ span: Span, among known: [String]) -> FileFault {
    FileFault("There is no \(kind) \(name); known are \(known.joined(separator: ", ")).", at: span)
  }

  /// Parses the line of a section, such as "[Asserts]", if one is next.
  mutating func sectionName() throws(FileFault) -> (name: String, span: Span)? {
    let start = cursor.index
    cursor.skipSpaces()
    let nameStart = cursor.index
    guard cursor.take("[") else {
      cursor.index = start
      return nil
    }
    let name = cursor.take { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
    // An array of JSON can begin a body.
    guard !name.isEmpty, !["true", "false", "null"].contains(name), cursor.take("]") else {
      cursor.index = start
      return nil
    }
    let span = cursor.span(from: nameStart)
    try endLine(after: "the section")
    return (name, span)
  }

  /// Whether a line of the response is next, such as "HTTP 200".
  var isAtResponse: Bool {
    var cursor = cursor
    cursor.skipSpaces()
    guard cursor.take("HTTP") else { return false }
    return cursor.next == " " || cursor.next == "\t" || cursor.next == "/" || cursor.isAtLineEnd
  }

  /// Whether the method and the URL of a request are next.
  var isAtRequest: Bool {
    var cursor = cursor
    cursor.skipSpaces()
    let method = cursor.take { ("A"..."Z").contains($0) }
    guard !method.isEmpty, cursor.next == " " || cursor.next == "\t" else { return false }
    cursor.skipSpaces()
    return cursor.next != ":" && !cursor.isAtLineEnd
  }

  /// Parses lines of names and values.
  mutating func parameters() throws(FileFault) -> [Parameter] {
    var parameters: [Parameter] = []
    while let name = try parameterName() {
      let value = try self.value()
      cursor.skipLine()
      parameters.append(Parameter(name: name, value: value))
    }
    return parameters
  }

  /// Parses a name with its colon, if the next line has one.
  mutating func parameterName() throws(FileFault) -> Template? {
    skipBlankLines()
    guard !cursor.isAtEnd, !isAtResponse, !isAtRequest, !isAtBody, !isAtSection else { return nil }
    cursor.skipSpaces()
    let start = cursor.index
    var builder = TemplateBuilder()
    while let scalar = cursor.next, scalar != ":" {
      if let expression = try cursor.expression() {
        builder.append(expression)
        continue
      }
      guard !cursor.isAtLineEnd, scalar != "#" else { break }
      if scalar == "\\" {
        builder.append(try escape())
      } else {
        builder.append(scalar)
        cursor.index += 1
      }
    }
    builder.trimEnd()
    let template = builder.template(cursor.span(from: start))
    guard cursor.take(":") else {
      cursor.index = start
      throw fault(
        "This line is none of a field \"name: value\", a section, a body, HTTP and a status, and a request.")
    }
    return template
  }

  private var isAtSection: Bool {
    var copy = self
    return (try? copy.sectionName()).flatMap { $0 } != nil
  }

  /// Parses the rest of a line up to a comment.
  mutating func value() throws(FileFault) -> Template {
    cursor.skipSpaces()
    let start = cursor.index
    var end = start
    var builder = TemplateBuilder()
    while let scalar = cursor.next, !cursor.isAtLineEnd, scalar != "#" {
      if let expression = try cursor.expression() {
        builder.append(expression)
      } else if scalar == "\\" {
        builder.append(try escape())
      } else {
        builder.append(scalar)
        cursor.index += 1
        if scalar == " " || scalar == "\t" { continue }
      }
      end = cursor.index
    }
    builder.trimEnd()
    return builder.template(Span(start: start, end: end))
  }

  /// Parses an escape, which begins with a backslash.
  mutating func escape() throws(FileFault) -> Unicode.Scalar {
    let start = cursor.index
    cursor.index += 1
    let letter = cursor.next
    cursor.index += 1
    switch letter {
    case "\"", "\\", "#", ":", "/", "`", "{", "}": return letter ?? "\\"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u" where cursor.take("{"):
      let digits = cursor.take { $0.properties.isASCIIHexDigit }
      if digits.count <= 8, let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init),
        cursor.take("}")
      {
        return scalar
      }
    default: break
    }
    throw FileFault(
      "This escape is not known; write \\\\ for a backslash, or \\n, \\t, \\r, \\\", \\#, \\u{1F600}.",
      at: Span(start: start, end: start + 2))
  }

  private mutating func multipartParameters() throws(FileFault) -> [MultipartParameter] {
    var parameters: [MultipartParameter] = []
    while let name = try parameterName() {
      cursor.skipSpaces()
      let content: MultipartParameter.Content
      if cursor.isAt("file,") {
        let file = try fileName()
        let contentType = try value()
        guard let text = contentType.plainText else {
          throw FileFault("A media type has no placeholders; write it out.", at: contentType.span)
        }
        content = .file(file, contentType: text.isEmpty ? nil : text)
      } else {
        content = .text(try value())
      }
      cursor.skipLine()
      parameters.append(MultipartParameter(name: name, content: content))
    }
    return parameters
  }

  // MARK: Responses

  private mutating func expectation() throws(FileFault) -> Expectation {
    var expectation = Expectation()
    cursor.skipSpaces()
    let start = cursor.index
    let version = cursor.take { $0 != " " && $0 != "\t" && $0 != "\n" && $0 != "\r" && $0 != "#" }
    // The transport reports HTTP/1.0 as HTTP/1.1, so that it can't be expected.
    let versions = ["HTTP/1.1", "HTTP/2", "HTTP/3"]
    if versions.contains(version) {
      expectation.version = (version, cursor.span(from: start))
    } else if version != "HTTP", version != "HTTP/*" {
      cursor.index = start
      throw fault(
        "\"\(version)\" is no version that can be expected; write HTTP for any, or \(versions.joined(separator: ", "))."
      )
    }
    cursor.skipSpaces()
    let statusStart = cursor.index
    if !cursor.take("*") {
      let digits = cursor.take { ("0"..."9").contains($0) }
      guard digits.count == 3, let code = Int(digits) else {
        cursor.index = statusStart
        throw fault("A status is a number of three digits, or * for any; write for example HTTP 200.")
      }
      expectation.status = (code, cursor.span(from: statusStart))
    }
    try endLine(after: "the status")
    expectation.fields = try parameters()
    try responseSections(&expectation)
    return expectation
  }

  private mutating func responseSections(_ expectation: inout Expectation) throws(FileFault) {
    var names: Set<String> = []
    while true {
      skipBlankLines()
      guard let (name, span) = try sectionName() else { break }
      try note(name, span, in: &names)
      switch name {
      case "Captures": while let capture = try capture() { expectation.captures.append(capture) }
      case "Asserts": while let assertion = try assertion() { expectation.assertions.append(assertion) }
      case "Query", "QueryStringParams", "Form", "FormParams", "Multipart", "MultipartFormData", "Cookies",
        "BasicAuth", "Options":
        throw FileFault("[\(name)] belongs to a request; move it before the line HTTP.", at: span)
      default: throw unknown("section", "[\(name)]", span, among: ["[Captures]", "[Asserts]"])
      }
    }
    guard isAtBody else { return }
    cursor.skipSpaces()
    let start = cursor.index
    expectation.body = try body()
    expectation.bodySpan = Span(start: start, end: start + 1)
  }
}
