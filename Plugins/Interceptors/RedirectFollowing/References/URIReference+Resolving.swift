extension URIReference {
  /// Returns the target of the reference, relative to a base (RFC 3986, section 5.2.2).
  ///
  /// It is resolved strictly: a reference with the scheme of the base is absolute, as any other.
  func resolved(against base: URIReference) -> URIReference {
    var target = self
    guard scheme == nil else {
      target.path = Self.removingDotSegments(path)
      return target
    }
    target.scheme = base.scheme
    guard authority == nil else {
      target.path = Self.removingDotSegments(path)
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else {
      target.path = Self.removingDotSegments(path.utf8.first == UInt8(ascii: "/") ? path : merged(with: base))
    }
    return target
  }

  /// Returns the reference's path in place of the last segment of the base's (section 5.2.3).
  private func merged(with base: URIReference) -> String {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(base.path[...slash]) + path
  }

  /// Returns a path without its segments `.` and `..` (section 5.2.4), in linear time.
  static func removingDotSegments(_ path: String) -> String {
    // Most paths have none.
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
    let slash = UInt8(ascii: "/")
    var input = Array(path.utf8)[...]
    var output: [UInt8] = []
    output.reserveCapacity(input.count)
    func removeLastSegment() {
      guard let index = output.lastIndex(of: slash) else { return output.removeAll() }
      output.removeSubrange(index...)
    }
    while let first = input.first {
      if input.starts(with: "../".utf8) {
        input = input.dropFirst(3)
      } else if input.starts(with: "./".utf8) || input.starts(with: "/./".utf8) {
        input = input.dropFirst(2)
      } else if input.elementsEqual("/.".utf8) {
        input = [slash]
      } else if input.starts(with: "/../".utf8) {
        input = input.dropFirst(3)
        removeLastSegment()
      } else if input.elementsEqual("/..".utf8) {
        input = [slash]
        removeLastSegment()
      } else if input.elementsEqual(".".utf8) || input.elementsEqual("..".utf8) {
        input = []
      } else {
        output.append(first)
        let end = input.dropFirst().firstIndex(of: slash) ?? input.endIndex
        output.append(contentsOf: input[input.index(after: input.startIndex)..<end])
        input = input[end...]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
