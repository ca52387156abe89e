/// The functions that refine the value of a query.
struct ValueFilters {
  /// The maximum number of parts into which a filter divides a text.
  private static let maximumParts = 1_000_000

  let environment: Environment
  /// The maximum length of a text or of bytes that a filter produces.
  var maximumBytes = 128 << 20

  /// Returns the refined value; nil if there is none, such as for an index behind the end of a list.
  func apply(_ filter: Filter, to value: Value) throws(FileFault) -> Value? {
    let result = try unlimited(filter, to: value)
    switch result {
    // Filters that encode can be repeated.
    case .text(let text)? where text.utf8.count > maximumBytes: throw tooMuch(filter)
    case .bytes(let bytes)? where bytes.count > maximumBytes: throw tooMuch(filter)
    default: return result
    }
  }

  private func unlimited(_ filter: Filter, to value: Value) throws(FileFault) -> Value? {
    switch filter.kind {
    case .count:
      guard let count = Self.count(value) else { throw unfit(filter, value, "a list, an object or bytes") }
      return .integer(count)
    case .first: return try items(filter, value).first
    case .last: return try items(filter, value).last
    case .nth(let index):
      let items = try items(filter, value)
      let place = index < 0 ? items.count + index : index
      return items.indices.contains(place) ? items[place] : nil
    case .jsonPath(let path):
      return try self.value(at: path, in: try json(filter, value))
    case .regex(let source): return try group(of: source, in: try text(filter, value), at: filter.span)
    case .replace(let old, let new):
      let (old, new) = (try environment.text(old), try environment.text(new))
      let text = try text(filter, value)
      guard !old.isEmpty else { return value }
      let parts = ByteSearch.split(text, at: old, limit: Self.maximumParts)
      // The result is bounded before it is allocated.
      guard let parts, text.utf8.count + parts.count * new.utf8.count <= maximumBytes else {
        throw tooMuch(filter)
      }
      return .text(parts.joined(separator: new))
    case .replacePattern(let source, let new):
      let (pattern, span) = try pattern(source)
      let (replacement, text) = (try environment.text(new), Array(try text(filter, value).unicodeScalars))
      do throws(Pattern.Fault) {
        return .text(try pattern.replacing(in: text, with: replacement))
      } catch {
        throw FileFault("The pattern can't be used: \(error.reason).", at: span, kind: .assertion)
      }
    case .split(let separator):
      let separator = try environment.text(separator)
      let text = try text(filter, value)
      let parts =
        separator.isEmpty
        ? text.utf8.count < Self.maximumParts ? text.map { String($0) } : nil
        : ByteSearch.split(text, at: separator, limit: Self.maximumParts)
      guard let parts else { throw tooMuch(filter) }
      return .list(parts.map { .text($0) })
    case .toInt, .toFloat, .toText, .toHex: return try converted(filter, value)
    case .toDate, .format, .days: return try dated(filter, value)
    default: return try encoded(filter, value)
    }
  }

  /// Returns the number of elements of a list or an object, of bytes, or of the characters of a text.
  static func count(_ value: Value) -> Int? {
    switch value {
    case .list(let items): items.count
    case .object(let members): members.count
    case .bytes(let bytes): bytes.count
    case .text(let text): text.unicodeScalars.count
    default: nil
    }
  }

  // MARK: Kinds of input

  private func unfit(_ filter: Filter, _ value: Value, _ wanted: String) -> FileFault {
    FileFault(
      "The filter \(filter.name) needs \(wanted), but its input is \(value.kindName): \(environment.scrubber.text(value.shown)).",
      at: filter.span, kind: .assertion)
  }

  private func text(_ filter: Filter, _ value: Value) throws(FileFault) -> String {
    guard case .text(let text) = value else { throw unfit(filter, value, "a string") }
    return text
  }

  private func items(_ filter: Filter, _ value: Value) throws(FileFault) -> [Value] {
    guard case .list(let items) = value else { throw unfit(filter, value, "a list") }
    return items
  }

  private func tooMuch(_ filter: Filter) -> FileFault {
    FileFault(
      "The filter \(filter.name) produces more than \(maximumBytes) bytes or \(Self.maximumParts) parts; refine its input before.",
      at: filter.span, kind: .assertion)
  }

  private func json(_ filter: Filter, _ value: Value) throws(FileFault) -> Value {
    let bytes: [UInt8]
    switch value {
    case .text(let text): bytes = Array(text.utf8)
    case .bytes(let content): bytes = content
    case .list, .object: return value
    default: throw unfit(filter, value, "JSON")
    }
    do throws(JSONText.Fault) {
      return try JSONText.value(bytes)
    } catch {
      throw FileFault(
        "The input of jsonpath is no JSON: \(error.reason).", at: filter.span, kind: .assertion)
    }
  }

  // MARK: Patterns and paths

  func value(at path: Template, in root: Value) throws(FileFault) -> Value? {
    let text = try environment.text(path)
    do throws(JSONPath.Fault) {
      return try JSONPath(text).value(in: root)
    } catch {
      throw FileFault("The JSONPath can't be used: \(error.reason).", at: path.span, kind: .assertion)
    }
  }

  func pattern(_ source: PatternSource) throws(FileFault) -> (Pattern, Span) {
    switch source {
    case .literal(let pattern, let span): return (pattern, span)
    case .template(let template):
      let text = try environment.text(template)
      do throws(Pattern.Fault) {
        return (try Pattern(text.unicodeScalars), template.span)
      } catch {
        throw FileFault("The pattern is malformed: \(error.reason).", at: template.span)
      }
    }
  }

  func match(_ pattern: Pattern, in text: String, at span: Span) throws(FileFault) -> Pattern.Match? {
    do throws(Pattern.Fault) {
      return try pattern.firstMatch(in: Array(text.unicodeScalars))
    } catch {
      throw FileFault("The pattern can't be used: \(error.reason).", at: span, kind: .assertion)
    }
  }

  /// Returns the first group of a match.
  func group(of source: PatternSource, in text: String, at span: Span) throws(FileFault) -> Value? {
    let (pattern, patternSpan) = try pattern(source)
    guard pattern.groupCount > 1 else {
      throw FileFault("The pattern has no group; put what it extracts in parentheses.", at: patternSpan)
    }
    guard let match = try match(pattern, in: text, at: patternSpan), let range = match.groups[0] else {
      return nil
    }
    return .text(String(String.UnicodeScalarView(Array(text.unicodeScalars)[range])))
  }

  // MARK: Conversions

  private func converted(_ filter: Filter, _ value: Value) throws(FileFault) -> Value? {
    switch (filter.kind, value) {
    case (.toText, _):
      guard let text = value.rendered else { throw unfit(filter, value, "text") }
      return .text(text)
    case (.toHex, .bytes(let bytes)): return .text(Hexadecimal.text(bytes))
    case (.toHex, _): throw unfit(filter, value, "bytes")
    case (.toInt, .integer), (.toInt, .bigInteger), (.toFloat, .float): return value
    case (.toInt, .float(let number)):
      guard let whole = Int(exactly: number.rounded(.towardZero)) else {
        throw unfit(filter, value, "a number")
      }
      return .integer(whole)
    case (.toInt, .text(let text)):
      switch Value.number(text.filter { $0 != " " }) {
      case .integer(let number)?: return .integer(number)
      case .bigInteger(let digits)?: return .bigInteger(digits)
      default: throw unfit(filter, value, "the digits of an integer")
      }
    case (.toFloat, .integer(let number)): return .float(Double(number))
    case (.toFloat, .bigInteger): throw unfit(filter, value, "an integer that a float can hold")
    case (.toFloat, .text(let text)):
      guard Value.number(text) != nil, let number = Double(text) else {
        throw unfit(filter, value, "a number")
      }
      return .float(number)
    default: throw unfit(filter, value, "a number or a string")
    }
  }

  private func dated(_ filter: Filter, _ value: Value) throws(FileFault) -> Value? {
    switch (filter.kind, value) {
    case (.toDate(let format), .text(let text)):
      let formatText = try environment.text(format)
      do throws(CalendarFields.Fault) {
        return .date(try CalendarFields.moment(text, format: formatText))
      } catch {
        switch error {
        case .format(let specification):
          throw FileFault("The format has \(specification), which is not supported.", at: format.span)
        case .text: throw unfit(filter, value, "a date in the format \"\(formatText)\"")
        }
      }
    case (.format(let format), .date(let moment)):
      guard let text = CalendarFields(moment).text(format: try environment.text(format)) else {
        throw FileFault(
          "The format has a specification that is not supported; use those of strftime.", at: format.span)
      }
      return .text(text)
    case (.days(let isAfter), .date(let moment)):
      let seconds = moment.seconds - environment.now.seconds
      return .integer((isAfter ? seconds : -seconds) / 86_400)
    case (.toDate, _): throw unfit(filter, value, "a string")
    default: throw unfit(filter, value, "a date; use toDate before it")
    }
  }

  private func encoded(_ filter: Filter, _ value: Value) throws(FileFault) -> Value? {
    switch (filter.kind, value) {
    case (.base64Encode(let isForURLs), .bytes(let bytes)):
      return .text(Base64Text.text(bytes, isForURLs: isForURLs))
    case (.base64Encode(let isForURLs), .text(let text)):
      return .text(Base64Text.text(Array(text.utf8), isForURLs: isForURLs))
    case (.base64Decode(let isForURLs), .text(let text)):
      guard let bytes = Base64Text.bytes(text, isForURLs: isForURLs) else {
        throw unfit(filter, value, "Base64")
      }
      return .bytes(bytes)
    case (.decode(let charset), .bytes(let bytes)):
      return .text(try Self.decoded(bytes, charset: try environment.text(charset), at: filter.span))
    case (.encode, .text(let text)): return .bytes(Array(text.utf8))
    case (.decode, _), (.base64Encode, _): throw unfit(filter, value, "bytes")
    default: break
    }
    let text = try text(filter, value)
    switch filter.kind {
    case .htmlEscape: return .text(HTMLText.escaped(text))
    case .htmlUnescape: return .text(HTMLText.unescaped(text))
    case .urlEncode: return .text(PercentText.encoded(text, keeping: "/"))
    case .urlDecode:
      guard let decoded = PercentText.decoded(text) else {
        throw unfit(filter, value, "percent-encoded UTF-8")
      }
      return .text(decoded)
    case .queryParameter(let name):
      let name = try environment.text(name)
      let query =
        text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        .split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
      for pair in query.split(separator: "&") {
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
          PercentText.decoded(String($0), plusIsSpace: true)
        }
        if halves[0] == name { return .text((halves.count == 2 ? halves[1] : "") ?? "") }
      }
      return nil
    default: throw unfit(filter, value, "another kind of value")
    }
  }

  /// Returns bytes as text.
  static func decoded(_ bytes: [UInt8], charset: String, at span: Span) throws(FileFault) -> String {
    switch charset.lowercased() {
    case "utf-8", "utf8":
      if let text = String(validating: bytes, as: UTF8.self) { return text }
    case "us-ascii", "ascii":
      if let text = String(validating: bytes, as: Unicode.ASCII.self) { return text }
    case "iso-8859-1", "latin1":
      return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    default:
      throw FileFault(
        "The charset \"\(charset)\" is not supported; use bytes, or decode with utf-8, iso-8859-1 or us-ascii.",
        at: span, kind: .assertion)
    }
    throw FileFault(
      "The content is not text in \(charset); use bytes, or decode with another charset.", at: span,
      kind: .assertion)
  }
}

/// Character references of HTML.
enum HTMLText {
  private static let names = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "reg": "®",
    "euro": "€", "hellip": "…", "ndash": "–", "mdash": "—", "auml": "ä", "ouml": "ö", "uuml": "ü",
    "szlig": "ß",
  ]

  /// Returns a text as the content of an element.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns a text with numeric references and the most frequent names replaced; others stay as they are.
  static func unescaped(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let ampersand = rest.firstIndex(of: "&") {
      result += rest[..<ampersand]
      let after = rest[rest.index(after: ampersand)...]
      let word = after.prefix(12).prefix { $0 == "#" || $0.isASCII && ($0.isLetter || $0.isNumber) }
      if let replacement = replacement(word) {
        result += replacement
        rest = after.dropFirst(word.count)
        if rest.first == ";" { rest.removeFirst() }
      } else {
        result += "&"
        rest = after
      }
    }
    return result + rest
  }

  private static func replacement(_ word: Substring) -> String? {
    guard word.first == "#" else { return names[String(word)] }
    let digits = word.dropFirst()
    let code = digits.first?.lowercased() == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return code.flatMap(Unicode.Scalar.init).map { String($0) }
  }
}
