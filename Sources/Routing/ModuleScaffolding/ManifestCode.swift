/// The bytes of a manifest, each marked as code or as part of a comment or string.
struct ManifestCode {
  let bytes: [UInt8]
  private var code: [Bool]

  init(_ text: String) {
    bytes = Array(text.utf8)
    code = Array(repeating: true, count: bytes.count)
    markCommentsAndStrings()
  }

  func isCode(at offset: Int) -> Bool { offset < bytes.count && code[offset] }

  /// Whether the parentheses in a range are balanced, except for those in comments and strings.
  func isBalanced(_ range: Range<Int>) -> Bool {
    var depth = 0
    for offset in range where code[offset] {
      if bytes[offset] == UInt8(ascii: "(") { depth += 1 }
      if bytes[offset] == UInt8(ascii: ")") { depth -= 1 }
      if depth < 0 { return false }
    }
    return depth == 0
  }

  /// Returns the offset of the first byte at or after an offset that is not white space, or the end.
  func skipSpace(from offset: Int) -> Int {
    bytes[offset...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.count
  }

  /// Returns the offset of the last byte before an offset that is code but not white space.
  func lastCode(before offset: Int) -> Int? {
    (0..<offset).last { code[$0] && ![0x20, 0x09, 0x0A, 0x0D].contains(bytes[$0]) }
  }

  /// Returns the offset after the bracket that closes the one at an offset.
  func end(ofBracketAt opening: Int) -> Int? {
    var depth = 0
    for offset in opening..<bytes.count where code[offset] {
      switch bytes[offset] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: continue
      }
      if depth == 0 { return offset + 1 }
    }
    return nil
  }

  /// The text with comments and strings as spaces, which keeps offsets and excludes their contents from
  /// matches.
  var blanked: String {
    String(decoding: bytes.indices.map { code[$0] || bytes[$0] == 0x0A ? bytes[$0] : 0x20 }, as: UTF8.self)
  }

  /// Returns the name of the variable that holds the package, and the offset after its declaration.
  func packageDeclaration() -> (name: String, end: Int)? {
    let text = blanked
    guard let match = text.firstMatch(of: /\b(?:let|var)\s+(\w+)\s*(?::\s*Package\s*)?=\s*Package\s*\(/)
    else {
      return nil
    }
    let opening = text.utf8.distance(from: text.startIndex, to: match.range.upperBound) - 1
    return end(ofBracketAt: opening).map { (String(match.1), $0) }
  }

  private mutating func markCommentsAndStrings() {
    var offset = 0
    while offset < bytes.count {
      let end = endOfCommentOrString(at: offset)
      if end > offset {
        for index in offset..<min(end, bytes.count) { code[index] = false }
        offset = end
      } else {
        offset += 1
      }
    }
  }

  /// Returns the offset after the comment or string that begins at an offset, or else the offset itself.
  private func endOfCommentOrString(at offset: Int) -> Int {
    let rest = bytes[offset...]
    if rest.starts(with: "//".utf8) { return rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count }
    if rest.starts(with: "/*".utf8) { return endOfComment(at: offset) }
    if rest.starts(with: "\"\"\"".utf8) { return endOfText(at: offset, quotes: 3) }
    if bytes[offset] == UInt8(ascii: "\"") { return endOfText(at: offset, quotes: 1) }
    return offset
  }

  private func endOfComment(at start: Int) -> Int {
    var depth = 0
    var offset = start
    while offset < bytes.count {
      if bytes[offset...].starts(with: "/*".utf8) {
        depth += 1
        offset += 2
      } else if bytes[offset...].starts(with: "*/".utf8) {
        depth -= 1
        offset += 2
        if depth == 0 { return offset }
      } else {
        offset += 1
      }
    }
    return bytes.count
  }

  /// Returns the offset after a string, whose interpolations can contain strings.
  private func endOfText(at start: Int, quotes: Int) -> Int {
    let closing = Array(repeating: UInt8(ascii: "\""), count: quotes)
    var offset = start + quotes
    var depth = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      if depth > 0 {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        offset = byte == UInt8(ascii: "\"") ? endOfText(at: offset, quotes: 1) : offset + 1
      } else if byte == UInt8(ascii: "\\") {
        if offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "(") { depth = 1 }
        offset += 2
      } else if bytes[offset...].starts(with: closing) {
        return offset + quotes
      } else if quotes == 1, byte == UInt8(ascii: "\n") {
        return offset
      } else {
        offset += 1
      }
    }
    return bytes.count
  }
}

extension ManifestCode {
  /// Returns the name of the app's target that uses the plugin ModuleBoundary, if the manifest shows one.
  func guardingApp(of modules: [String], targets: [KnownTarget]) -> String? {
    let guarded = Set(guardedTargets())
    let apps = targets.filter { target in
      guard guarded.contains(target.name), !target.isTest, !modules.contains(target.name) else {
        return false
      }
      if !target.dependencies.isDisjoint(with: modules) { return true }
      // The app does not depend on its modules yet. If several targets use the plugin, or if the target is
      // not in Sources, it may itself be a module.
      return guarded.count == 1 && (modules.isEmpty || ["", "Sources"].contains(target.neighbourhood))
    }
    return apps.map(\.name).min()
  }

  /// Returns the names of the targets whose declarations list the plugin.
  private func guardedTargets() -> [String] {
    var openings: [Int] = []
    var names: [String] = []
    for offset in bytes.indices {
      if let text = literal(at: offset) {
        guard text == "ModuleBoundary", let use = openings.last, callee(ofCallAt: use) == "plugin" else {
          continue
        }
        let declaration = openings.last { ["target", "executableTarget"].contains(callee(ofCallAt: $0)) }
        if let declaration, let name = firstName(inCallAt: declaration) { names.append(name) }
      }
      guard isCode(at: offset) else { continue }
      switch bytes[offset] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): openings.append(offset)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): _ = openings.popLast()
      default: continue
      }
    }
    return names
  }

  /// Returns the contents of the single-line string literal that begins at an offset, if there is one.
  private func literal(at offset: Int) -> String? {
    let quote = UInt8(ascii: "\"")
    guard offset < bytes.count, bytes[offset] == quote, !isCode(at: offset),
      offset == 0 || isCode(at: offset - 1)
    else { return nil }
    let rest = bytes[(offset + 1)...]
    return rest.firstIndex(of: quote).map { String(decoding: rest[..<$0], as: UTF8.self) }
  }

  /// Returns the identifier before an opening bracket.
  private func callee(ofCallAt opening: Int) -> String {
    let word = bytes[..<opening].reversed().prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      default: false
      }
    }
    return String(decoding: word.reversed(), as: UTF8.self)
  }

  /// Returns the string that the first argument of a call passes for `name:`.
  private func firstName(inCallAt opening: Int) -> String? {
    let label = skipSpace(from: opening + 1)
    guard bytes[label...].starts(with: "name:".utf8) else { return nil }
    return literal(at: skipSpace(from: label + "name:".utf8.count))
  }
}
