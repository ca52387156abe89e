package import HTTPTypes

/// A URI reference, split into its components (RFC 3986, section 4.1).
package struct URIReference: Sendable, Hashable {
  /// The scheme, as written; nil in a relative reference.
  package var scheme: String?
  /// The authority, with user information and port; nil if there is none.
  package var authority: String?
  /// The path; possibly empty.
  package var path: String
  /// The query without the question mark.
  package var query: String?
  /// The fragment without the number sign.
  package var fragment: String?

  package init(
    scheme: String? = nil, authority: String? = nil, path: String, query: String? = nil,
    fragment: String? = nil
  ) {
    self.scheme = scheme
    self.authority = authority
    self.path = path
    self.query = query
    self.fragment = fragment
  }

  /// Splits a text as appendix B does; every text has components, whether or not they are valid.
  package init(_ text: String) {
    var rest = text.utf8[...]
    fragment = Self.takeEnding(of: &rest, after: UInt8(ascii: "#"))
    query = Self.takeEnding(of: &rest, after: UInt8(ascii: "?"))
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = String(Substring(rest[..<colon]))
      rest = rest[rest.index(after: colon)...]
    }
    if rest.starts(with: "//".utf8) {
      let start = rest.index(rest.startIndex, offsetBy: 2)
      let end = rest[start...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(Substring(rest[start..<end]))
      rest = rest[end...]
    }
    path = String(Substring(rest))
  }

  private static func takeEnding(of text: inout Substring.UTF8View, after mark: UInt8) -> String? {
    guard let index = text.firstIndex(of: mark) else { return nil }
    defer { text = text[..<index] }
    return String(Substring(text[text.index(after: index)...]))
  }

  /// Whether a text is a scheme (section 3.1); what precedes the colon of `1:a` or `./b:c` is a path.
  private static func isScheme(_ text: Substring.UTF8View) -> Bool {
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}

extension URIReference: CustomStringConvertible {
  /// The components put together (RFC 3986, section 5.3).
  package var description: String {
    var text = ""
    if let scheme { text += "\(scheme):" }
    if let authority { text += "//\(authority)" }
    text += path
    if let query { text += "?\(query)" }
    if let fragment { text += "#\(fragment)" }
    return text
  }
}

extension URIReference {
  /// Returns the target of the reference, relative to a base (RFC 3986, section 5.2.2).
  ///
  /// It is resolved strictly: a reference with the scheme of the base is absolute, as any other.
  package func resolved(against base: URIReference) -> URIReference {
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
  package static func removingDotSegments(_ path: String) -> String {
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

/// The value of a `Location` field as a URI reference, as servers write it (RFC 9110, section 10.2.2).
package enum LocationText {
  /// Returns the value with each byte that a URI cannot contain percent-encoded; nil if it contains a control
  /// character.
  ///
  /// Servers send spaces, UTF-8 and other encodings unencoded. What is already encoded, and a percent sign
  /// that encodes nothing, is kept. A backslash is encoded: read as a slash, as browsers do, `/\host` would
  /// name a host.
  package static func encoded(_ field: HTTPField) -> String? { encoded(field.bytes) }

  /// Returns the same for the bytes of a value.
  package static func encoded(_ value: some BidirectionalCollection<UInt8>) -> String? {
    let bytes = Array(value)[...].trimmingWhitespace()
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    return PercentEncoding.encode(bytes, keeping: PercentEncoding.isLegal)
  }
}
