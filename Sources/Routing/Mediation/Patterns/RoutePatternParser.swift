/// Parses the text of a pattern.
struct RoutePatternParser {
  /// The parts of a pattern.
  struct Parts: Sendable {
    var scheme = ""
    var segments: [RoutePattern.Segment] = []
    var fields: [RoutePattern.Field] = []
    var isLastOptional = false
  }

  private let text: String
  let bytes: ContiguousArray<UInt8>
  var names: Set<String> = []
  /// The offset of the optional path segment, if there is one.
  private var optionalEnd: Int?

  init(_ text: String) {
    self.text = text
    bytes = ContiguousArray(text.utf8)
  }

  mutating func parse() throws(RoutePattern.SyntaxError) -> Parts {
    var parts = Parts()
    if bytes.count > URLLimits.url { throw error(URLLimits.url, "it is too long", "use at most 8 KiB") }
    let colon: Int
    do {
      colon = try URLScan.schemeEnd(bytes.span)
    } catch {
      throw self.error(error.offset, "it has no scheme", "write scheme://host/path")
    }
    parts.scheme = String(decoding: bytes[..<colon].map(URLHead.lowercase), as: UTF8.self)
    guard bytes.count > colon + 2, bytes[colon + 1] == URLHead.slash, bytes[colon + 2] == URLHead.slash else {
      throw error(colon + 1, "\"//\" is missing after the scheme", "write \(parts.scheme)://host/path")
    }
    if let hash = bytes.firstIndex(of: UInt8(ascii: "#")) {
      throw error(hash, "a fragment is never part of a pattern", "remove \"#\" and what follows it")
    }
    let question = pathEnd(from: colon + 3)
    parts.segments = try path(colon + 3, question, isWeb: URLHead.isWeb(parts.scheme))
    parts.isLastOptional = optionalEnd != nil
    if question < bytes.count { parts.fields = try query(question + 1) }
    return parts
  }

  /// Returns the offset of the first `?` outside placeholders, inside which it means optional.
  private func pathEnd(from start: Int) -> Int {
    var isInside = false
    for offset in start..<bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "{"): isInside = true
      case UInt8(ascii: "}"): isInside = false
      case UInt8(ascii: "?") where !isInside: return offset
      default: continue
      }
    }
    return bytes.count
  }

  private mutating func path(
    _ first: Int, _ end: Int, isWeb: Bool
  ) throws(RoutePattern.SyntaxError) -> [RoutePattern.Segment] {
    var segments: [RoutePattern.Segment] = []
    var start = first
    while start < end || segments.isEmpty {
      let stop = bytes[start..<end].firstIndex(of: URLHead.slash) ?? end
      if start == stop {
        throw segments.isEmpty
          ? error(start, "it has no host", "write the host, its first literal, after \"//\"")
          : error(start, "it has an empty segment", "write one slash between segments")
      }
      if case .rest = segments.last {
        throw error(start, "something follows the tail placeholder", "put the tail last in the path")
      }
      if let optionalEnd {
        throw error(
          optionalEnd, "only the last segment of the path can be optional",
          "declare a second route or use the query")
      }
      if segments.count > URLLimits.segments {
        throw error(start, "it has too many segments", "use at most \(URLLimits.segments)")
      }
      if bytes[start] == UInt8(ascii: "{") {
        if segments.isEmpty {
          throw error(start, "the host is a placeholder", "write a literal host and the placeholder after it")
        }
        segments.append(try placeholder(start, stop))
      } else {
        segments.append(.literal(try literal(start, stop, isHost: segments.isEmpty, isWeb: isWeb)))
      }
      start = stop + 1
    }
    return segments
  }

  func literal(
    _ start: Int, _ end: Int, isHost: Bool, isWeb: Bool
  ) throws(RoutePattern.SyntaxError) -> String {
    for offset in start..<end {
      switch bytes[offset] {
      case UInt8(ascii: "{"), UInt8(ascii: "}"):
        throw error(offset, "a placeholder is only a part of a segment", "make it the whole segment")
      case 0...0x20, 0x7F, UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
        UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"):
        throw error(offset, "a URL must not contain this character", "percent-encode it")
      case UInt8(ascii: "@") where isHost, UInt8(ascii: ":") where isHost:
        throw error(offset, "the host has a user or a port", "write the host alone")
      case UInt8(ascii: "%") where isHost && isWeb:
        throw error(offset, "the host is percent-encoded", "write the host name as the resolver knows it")
      default: continue
      }
    }
    var decoded = try self.decoded(start..<end)
    if decoded == [UInt8(ascii: ".")] || decoded == [UInt8(ascii: "."), UInt8(ascii: ".")] {
      throw error(start, "\".\" and \"..\" are not allowed as segments", "write the path it leads to")
    }
    if decoded.count > URLLimits.parameter {
      throw error(start, "a segment is too long", "use at most \(URLLimits.parameter) bytes")
    }
    if isHost { decoded = decoded.map(URLHead.lowercase) }
    if isHost, isWeb, decoded.last == UInt8(ascii: ".") {
      throw error(end - 1, "the host ends in a dot", "write it without the dot")
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private func decoded(_ range: Range<Int>) throws(RoutePattern.SyntaxError) -> [UInt8] {
    guard bytes[range].contains(UInt8(ascii: "%")) else { return Array(bytes[range]) }
    var part = URLPart(from: range.lowerBound)
    do {
      for offset in range where bytes[offset] == UInt8(ascii: "%") {
        try part.addEscape(bytes.span, at: offset)
      }
      try part.checkEncoding(bytes.span, end: range.upperBound)
    } catch {
      throw self.error(error.offset, "its percent-encoding is invalid", "write %XX for each byte of UTF-8")
    }
    var decoded: [UInt8] = []
    _ = PercentEncoding.decode(bytes.span, range, into: &decoded)
    return decoded
  }

  private mutating func placeholder(_ start: Int, _ end: Int) throws(RoutePattern.SyntaxError)
    -> RoutePattern.Segment
  {
    var content = try content(start, end)
    if content.last == UInt8(ascii: "?") {
      optionalEnd = end - 2
      content = content.dropLast()
    }
    let dots = Array("...".utf8)
    if content.count > 3, content.suffix(3).elementsEqual(dots) {
      if let optionalEnd {
        throw error(
          optionalEnd, "a tail cannot be optional", "declare a second route for the path without it")
      }
      return .rest(name: try name(content.dropLast(3)))
    }
    let (name, kind) = try nameAndKind(content)
    return .value(name: name, kind: kind)
  }

  private mutating func query(_ first: Int) throws(RoutePattern.SyntaxError) -> [RoutePattern.Field] {
    var fields: [RoutePattern.Field] = []
    var start = first
    repeat {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
      guard let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")), equals > start,
        equals + 1 < end, bytes[equals + 1] == UInt8(ascii: "{")
      else { throw error(start, "a query field has no key or no placeholder", "write key={name}") }
      let key = try literal(start, equals, isHost: false, isWeb: false)
      if fields.contains(where: { $0.key == key }) {
        throw error(start, "the query names \"\(key)\" twice", "declare each key once")
      }
      var content = try content(equals + 1, end)
      let isOptional = content.last == UInt8(ascii: "?")
      if isOptional { content = content.dropLast() }
      let (name, kind) = try nameAndKind(content)
      fields.append(.init(key: key, name: name, kind: kind, isOptional: isOptional))
      start = end + 1
    } while start <= bytes.count
    return fields
  }

  func error(_ offset: Int, _ problem: String, _ remedy: String) -> RoutePattern.SyntaxError {
    RoutePattern.SyntaxError(text: text, offset: offset, problem: problem, remedy: remedy)
  }
}

extension RoutePatternParser {
  /// Returns the content between the braces of a placeholder that spans the range.
  func content(_ start: Int, _ end: Int) throws(RoutePattern.SyntaxError) -> ArraySlice<UInt8> {
    guard let close = bytes[start..<end].firstIndex(of: UInt8(ascii: "}")) else {
      throw error(start, "a placeholder is not closed", "write \"}\" after its name")
    }
    if close != end - 1 {
      throw error(close + 1, "something follows a placeholder", "make it the whole segment or value")
    }
    return bytes[(start + 1)..<close]
  }

  mutating func nameAndKind(
    _ content: ArraySlice<UInt8>
  ) throws(RoutePattern.SyntaxError) -> (String, RoutePattern.ValueKind) {
    guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else { return (try name(content), .text) }
    let word = String(decoding: content[(colon + 1)...], as: UTF8.self)
    if word.utf8.contains(Self.bar) {
      let kind = RoutePattern.ValueKind.oneOf(try texts(content[(colon + 1)...]))
      return (try name(content[..<colon]), kind)
    }
    guard let kind = RoutePattern.ValueKind(named: word) else {
      let known = RoutePattern.ValueKind.named.map(\.description).joined(separator: ", ")
      throw error(
        colon + 1, "\"\(word)\" is not a kind of value",
        "use one of \(known), or several texts as in \(word)|other")
    }
    return (try name(content[..<colon]), kind)
  }

  private static let bar = UInt8(ascii: "|")

  /// Reads the texts of an enumeration, which bars separate.
  private func texts(_ content: ArraySlice<UInt8>) throws(RoutePattern.SyntaxError) -> [String] {
    var texts: [String] = []
    var start = content.startIndex
    while start <= content.endIndex {
      let end = content[start...].firstIndex(of: Self.bar) ?? content.endIndex
      if start == end {
        throw error(start, "an enumeration has an empty text", "write one bar between two texts")
      }
      // In a URL it ends the path, and at the end of the placeholder it means optional.
      if let mark = content[start..<end].firstIndex(of: UInt8(ascii: "?")) {
        throw error(mark, "a text of an enumeration contains \"?\"", "percent-encode it")
      }
      let text = try literal(start, end, isHost: false, isWeb: false)
      if texts.contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
        throw error(start, "an enumeration has the text \"\(text)\" twice", "write each text once")
      }
      texts.append(text)
      start = end + 1
    }
    return texts
  }

  mutating func name(_ slice: ArraySlice<UInt8>) throws(RoutePattern.SyntaxError) -> String {
    let isName = slice.enumerated().allSatisfy { position, byte in
      switch URLHead.lowercase(byte) {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): position > 0
      default: false
      }
    }
    guard isName, !slice.isEmpty else {
      throw error(
        slice.startIndex, "the placeholder has no valid name",
        "use letters, digits and \"_\", and do not begin with a digit")
    }
    let name = String(decoding: slice, as: UTF8.self)
    guard names.insert(name).inserted else {
      throw error(
        slice.startIndex, "the name \"\(name)\" is used twice", "give each placeholder its own name")
    }
    return name
  }
}
