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
