extension HurlParser {
  private static let queries = [
    "status", "version", "url", "ip", "header", "cookie", "body", "bytes", "jsonpath", "regex", "variable",
    "duration", "sha256", "md5",
  ]
  private static let filters = [
    "base64Decode", "base64Encode", "base64UrlSafeDecode", "base64UrlSafeEncode", "count", "dateFormat",
    "daysAfterNow", "daysBeforeNow", "decode", "first", "format", "htmlEscape", "htmlUnescape", "jsonpath",
    "last", "nth", "regex", "replace", "replaceRegex", "split", "toDate", "toFloat", "toHex", "toInt",
    "toString", "urlDecode", "urlEncode", "urlQueryParam", "utf8Decode", "utf8Encode",
  ]

  /// Whether another line of [Captures] or [Asserts] is next.
  private mutating func hasLine() -> Bool {
    skipBlankLines()
    guard !cursor.isAtEnd, !isAtResponse, !isAtRequest, !isAtBody else { return false }
    var copy = self
    return (try? copy.sectionName()).flatMap { $0 } == nil
  }

  mutating func capture() throws(FileFault) -> Capture? {
    guard hasLine(), let name = try parameterName() else { return nil }
    guard let text = name.plainText, !text.isEmpty, text.unicodeScalars.allSatisfy(TextCursor.isNamePart)
    else {
      throw FileFault("The name of a variable has letters, digits, _ and -; rename it.", at: name.span)
    }
    cursor.skipSpaces()
    let query = try query()
    cursor.skipSpaces()
    var isSecret = false
    if !cursor.isAtLineEnd, cursor.next != "#" {
      guard cursor.word == "redact" else { throw unknownFilter() }
      isSecret = cursor.take("redact")
    }
    try endLine(after: "the query")
    return Capture(name: text, nameSpan: name.span, query: query, isSecret: isSecret)
  }

  mutating func assertion() throws(FileFault) -> Assertion? {
    guard hasLine() else { return nil }
    cursor.skipSpaces()
    let query = try query()
    cursor.skipSpaces()
    let predicate = try predicate()
    try endLine(after: "the predicate")
    return Assertion(query: query, predicate: predicate)
  }

  private func unknownFilter() -> FileFault {
    unknown("filter", "\"\(cursor.word)\"", cursor.wordSpan, among: Self.filters)
  }

  // MARK: Queries and filters

  private mutating func query() throws(FileFault) -> Query {
    let start = cursor.index
    let kind: Query.Kind
    switch cursor.word {
    case "status": kind = .status
    case "version": kind = .version
    case "url": kind = .url
    case "ip": kind = .address
    case "body": kind = .body
    case "bytes": kind = .bytes
    case "duration": kind = .duration
    case "sha256": kind = .digest(.sha256)
    case "md5": kind = .digest(.md5)
    case "header": kind = .header(try argument())
    case "cookie": kind = .cookie(try argument())
    case "variable": kind = .variable(try argument())
    case "jsonpath": kind = .jsonPath(try pathArgument())
    case "regex": kind = .regex(try patternArgument())
    case "xpath":
      throw fault("xpath is not supported; use regex, or body contains.")
    case "certificate":
      throw fault("certificate is not supported; the certificate is always verified.")
    default: throw unknown("query", "\"\(cursor.word)\"", cursor.wordSpan, among: Self.queries)
    }
    // A query with an argument is behind it already.
    if cursor.index == start { cursor.index += cursor.word.unicodeScalars.count }
    let span = cursor.span(from: start)
    var filters: [Filter] = []
    while let filter = try filter() {
      guard filters.count < 100 else { throw fault("A query has more than 100 filters; remove some.") }
      filters.append(filter)
    }
    return Query(kind: kind, filters: filters, span: span)
  }

  /// Moves behind the next word, and parses the text after it.
  private mutating func argument() throws(FileFault) -> Template {
    let word = cursor.word
    cursor.index += word.unicodeScalars.count
    cursor.skipSpaces()
    guard let text = try text() else {
      throw fault("\(word) is followed by a text in quotes; write for example \(word) \"name\".")
    }
    return text
  }

  private mutating func pathArgument() throws(FileFault) -> Template {
    let template = try argument()
    // An expression without placeholders is checked now, so that nothing is sent for a file with a mistake.
    if let text = template.plainText {
      do throws(JSONPath.Fault) {
        _ = try JSONPath(text)
      } catch {
        let place = min(template.span.start + 1 + error.offset, template.span.end)
        throw FileFault("The JSONPath is malformed: \(error.reason).", at: Span(start: place, end: place + 1))
      }
    }
    return template
  }

  private mutating func patternArgument() throws(FileFault) -> PatternSource {
    let word = cursor.word
    cursor.index += word.unicodeScalars.count
    cursor.skipSpaces()
    return try pattern(after: word)
  }

  private mutating func pattern(after word: String) throws(FileFault) -> PatternSource {
    let start = cursor.index
    guard cursor.take("/") else {
      guard let text = try text() else {
        throw fault("\(word) is followed by a pattern; write it as /…/ or \"…\".")
      }
      guard let plain = text.plainText else { return .template(text) }
      return .literal(try compiled(plain.unicodeScalars, isLiteral: false, span: text.span), text.span)
    }
    var scalars: [Unicode.Scalar] = []
    while let scalar = cursor.next, scalar != "/", !cursor.isAtLineEnd {
      cursor.index += 1
      if scalar == "\\", let escaped = cursor.next, !cursor.isAtLineEnd {
        if escaped != "/" { scalars.append(scalar) }
        scalars.append(escaped)
        cursor.index += 1
      } else {
        scalars.append(scalar)
      }
    }
    guard cursor.take("/") else {
      throw FileFault("A pattern has no / at its end; add it.", at: cursor.span(from: start))
    }
    let span = cursor.span(from: start)
    return .literal(try compiled(scalars, isLiteral: true, span: span), span)
  }

  private func compiled(
    _ scalars: some Sequence<Unicode.Scalar>, isLiteral: Bool, span: Span
  ) throws(FileFault) -> Pattern {
    do throws(Pattern.Fault) {
      return try Pattern(scalars)
    } catch {
      // In a text, escapes hide the place.
      let place = isLiteral ? min(span.start + 1 + error.offset, span.end - 1) : span.start
      throw FileFault(
        "The pattern is malformed: \(error.reason).",
        at: isLiteral ? Span(start: place, end: place + 1) : span)
    }
  }

  private mutating func filter() throws(FileFault) -> Filter? {
    cursor.skipSpaces()
    let start = cursor.index
    let word = cursor.word
    let kind: Filter.Kind
    switch word {
    case "base64Decode": kind = .base64Decode(isForURLs: false)
    case "base64Encode": kind = .base64Encode(isForURLs: false)
    case "base64UrlSafeDecode": kind = .base64Decode(isForURLs: true)
    case "base64UrlSafeEncode": kind = .base64Encode(isForURLs: true)
    case "count": kind = .count
    case "daysAfterNow": kind = .days(isAfter: true)
    case "daysBeforeNow": kind = .days(isAfter: false)
    case "first": kind = .first
    case "last": kind = .last
    case "htmlEscape": kind = .htmlEscape
    case "htmlUnescape": kind = .htmlUnescape
    case "toFloat": kind = .toFloat
    case "toHex": kind = .toHex
    case "toInt": kind = .toInt
    case "toString": kind = .toText
    case "urlDecode": kind = .urlDecode
    case "urlEncode": kind = .urlEncode
    case "utf8Decode": kind = .decode(Template(parts: [.text("utf-8")], span: cursor.wordSpan))
    case "utf8Encode": kind = .encode
    default:
      guard let withArgument = try filterWithArgument(word) else { return nil }
      return Filter(kind: withArgument, name: word, span: Span(start: start, end: start + word.count))
    }
    cursor.index += word.unicodeScalars.count
    return Filter(kind: kind, name: word, span: cursor.span(from: start))
  }

  private mutating func filterWithArgument(_ word: String) throws(FileFault) -> Filter.Kind? {
    switch word {
    case "decode", "charsetDecode": return .decode(try argument())
    case "format", "dateFormat": return .format(try argument())
    case "jsonpath": return .jsonPath(try pathArgument())
    case "regex": return .regex(try patternArgument())
    case "split": return .split(try argument())
    case "toDate": return .toDate(try argument())
    case "urlQueryParam": return .queryParameter(try argument())
    case "replace":
      let old = try argument()
      return .replace(old, try secondArgument(of: word))
    case "replaceRegex":
      let pattern = try patternArgument()
      return .replacePattern(pattern, try secondArgument(of: word))
    case "nth":
      cursor.index += word.unicodeScalars.count
      cursor.skipSpaces()
      guard let index = Int(cursor.word) else {
        throw fault("nth is followed by an index; write for example nth 0, or nth -1 for the last.")
      }
      cursor.index += cursor.word.unicodeScalars.count
      return .nth(index)
    case "xpath": throw fault("xpath is not supported; use regex.")
    default: return nil
    }
  }

  private mutating func secondArgument(of word: String) throws(FileFault) -> Template {
    cursor.skipSpaces()
    guard let text = try text() else {
      throw fault("\(word) is followed by two texts; write the replacement in quotes after the first one.")
    }
    return text
  }

  /// Parses a text in quotes or backquotes, if one is next.
  private mutating func text() throws(FileFault) -> Template? {
    if cursor.isAt("`"), !cursor.isAt("```") { return try onelineText() }
    let start = cursor.index
    guard cursor.take("\"") else { return nil }
    var builder = TemplateBuilder()
    while let scalar = cursor.next, scalar != "\"", !cursor.isAtLineEnd {
      if let expression = try cursor.expression() {
        builder.append(expression)
      } else if scalar == "\\" {
        builder.append(try escape())
      } else {
        builder.append(scalar)
        cursor.index += 1
      }
    }
    guard cursor.take("\"") else {
      throw FileFault("A text has no quote at its end; add it.", at: cursor.span(from: start))
    }
    return builder.template(cursor.span(from: start))
  }

  // MARK: Predicates

  private mutating func predicate() throws(FileFault) -> Predicate {
    let start = cursor.index
    var isNegated = false
    while cursor.word == "not" {
      cursor.index += 3
      cursor.skipSpaces()
      isNegated.toggle()
    }
    let word = cursor.word
    guard !word.isEmpty, cursor.next != "#" else {
      throw FileFault(
        "The query is followed by no predicate; write for example == \"value\", contains or exists.",
        at: Span(start: cursor.index, end: cursor.index))
    }
    let kind: Predicate.Kind
    switch word {
    case "==": kind = .equal(try operand())
    case "!=": kind = .unequal(try operand())
    case ">": kind = .greater(try operand())
    case ">=": kind = .greaterOrEqual(try operand())
    case "<": kind = .less(try operand())
    case "<=": kind = .lessOrEqual(try operand())
    case "startsWith": kind = .hasPrefix(try operand())
    case "endsWith": kind = .hasSuffix(try operand())
    case "contains": kind = .contains(try operand())
    case "includes": kind = .includes(try operand())
    case "matches": kind = .matches(try patternArgument())
    case "exists", "isEmpty":
      kind = word == "exists" ? .exists : .isEmpty
      cursor.index += word.unicodeScalars.count
    default:
      guard let test = TypeTest(rawValue: word) else {
        let predicates =
          [
            "==", "!=", ">", ">=", "<", "<=", "startsWith", "endsWith", "contains", "includes", "matches",
            "exists",
          ]
          + ["isEmpty"] + TypeTest.allCases.map(\.rawValue)
        throw FileFault(
          "There is no filter or predicate \"\(word)\"; filters are \(Self.filters.joined(separator: ", ")), and predicates are \(predicates.joined(separator: ", ")), with not before them.",
          at: cursor.wordSpan)
      }
      kind = .isType(test)
      cursor.index += word.unicodeScalars.count
    }
    return Predicate(isNegated: isNegated, kind: kind, span: cursor.span(from: start))
  }

  /// Moves behind the predicate, and parses the value after it.
  private mutating func operand() throws(FileFault) -> Operand {
    let predicate = cursor.word
    cursor.index += predicate.unicodeScalars.count
    cursor.skipSpaces()
    if cursor.isAt("```") {
      guard case .text(let template, _) = try body(endingLine: false) else {
        throw fault("\(predicate) is followed by a value.")
      }
      return .text(template)
    }
    if let text = try text() { return .text(text) }
    if let expression = try cursor.expression() { return .expression(expression) }
    if cursor.isAt("hex,") || cursor.isAt("base64,") { return .value(.bytes(try byteLiteral())) }
    if cursor.isAt("file,") { return .file(try fileName()) }
    let word = cursor.word
    let value: Value? =
      switch word {
      case "null": .null
      case "true": .bool(true)
      case "false": .bool(false)
      default: Value.number(word)
      }
    guard let value else {
      throw fault(
        "\(predicate) is followed by a value: a text in quotes, a number, true, false, null, {{name}}, hex,…;, base64,…; or file,NAME;."
      )
    }
    cursor.index += word.unicodeScalars.count
    return .value(value)
  }
}
