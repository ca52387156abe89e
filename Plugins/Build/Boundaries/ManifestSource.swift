/// The text of a manifest, in which the declarations of dependencies can be located.
struct ManifestSource {
  var text: String

  /// The calls whose first argument is a name but that do not declare a target.
  private static let otherCalls = ["library", "executable", "product", "package", "Package", "trait"]

  /// Returns the line on which a target's declaration names a dependency, or else the line of the
  /// declaration, or else 1.
  func line(ofDependency dependency: String, of target: String) -> Int {
    var declared: String.Index?
    for name in text.ranges(of: "\"\(target)\"") {
      guard let call = callOpened(before: name.lowerBound) else { continue }
      declared = declared ?? name.lowerBound
      let rest = text[name.upperBound..<end(ofCallAt: call)]
      // A package can have the same name as the module that it contains.
      let found = rest.ranges(of: "\"\(dependency)\"").first { !hasLabel("package:", before: $0.lowerBound) }
      if let found { return line(of: found.lowerBound) }
    }
    return declared.map(line(of:)) ?? 1
  }

  /// Returns the opening parenthesis of the call whose first argument begins at an index, if the call may
  /// declare a target.
  private func callOpened(before index: String.Index) -> String.Index? {
    var head = text[..<index]
    head.trimSpace()
    if head.hasSuffix("name:") {
      head.removeLast("name:".count)
      head.trimSpace()
    }
    guard head.last == "(" else { return nil }
    head.removeLast()
    let callee = String(head.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
    return callee.isEmpty || Self.otherCalls.contains(callee) ? nil : head.endIndex
  }

  private func hasLabel(_ label: String, before index: String.Index) -> Bool {
    var head = text[..<index]
    head.trimSpace()
    return head.hasSuffix(label)
  }

  private func end(ofCallAt opening: String.Index) -> String.Index {
    var depth = 0
    for index in text[opening...].indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return index }
    }
    return text.endIndex
  }

  private func line(of index: String.Index) -> Int { text[..<index].count(where: \.isNewline) + 1 }
}

extension Substring {
  fileprivate mutating func trimSpace() {
    while let last, last.isWhitespace { removeLast() }
  }
}
