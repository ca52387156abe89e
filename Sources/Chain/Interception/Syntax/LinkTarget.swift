package import HTTPTypes

/// Reads the targets of links in `Link` fields (RFC 8288, section 3), in one pass over the bytes.
package enum LinkTarget {
  /// Returns the target of the first link of relation `next`; nil if there is none.
  package static func next(in fields: HTTPFields) -> String? {
    guard let name = HTTPField.Name("Link") else { return nil }
    for field in fields[fields: name] {
      if let target = target(ofRelation: "next", in: field.bytes) { return target }
    }
    return nil
  }

  /// Returns the decoded value of a query parameter of a URL or relative reference.
  package static func value(of parameter: String, in target: String) -> String? {
    let reference = target.utf8.prefix { $0 != UInt8(ascii: "#") }
    let item = QueryItems(String(decoding: reference, as: UTF8.self)).items
      .first { $0.name.elementsEqual(parameter.utf8) }
    return item.flatMap { String(validating: $0.value, as: UTF8.self) }
  }

  /// Returns the target of the first link of a relation; its bytes other than UTF-8 are percent-encoded.
  package static func target(ofRelation relation: String, in value: [UInt8]) -> String? {
    var reader = LinkReader(value)
    while let link = reader.nextLink() {
      // A link with an anchor is about another resource than the response (section 3.2).
      guard !link.hasAnchor else { continue }
      let relations = link.relations.split { " \t".utf8.contains($0) }
      if relations.contains(where: { $0.elementsEqual(relation.utf8, by: isSameLetter) }) {
        return String(validating: link.target, as: UTF8.self) ?? LocationText.encoded(link.target)
      }
    }
    return nil
  }

  /// Whether two bytes are the same but for the case of an ASCII letter.
  static func isSameLetter(_ left: UInt8, _ right: UInt8) -> Bool { lowercased(left) == lowercased(right) }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

/// Splits the value of a `Link` field into links, by the algorithm of RFC 8288, appendix B.2.
private struct LinkReader {
  /// A link, as far as it is needed to follow it.
  struct Link {
    var target: [UInt8]
    /// The value of the first `rel` parameter, a list separated by spaces.
    var relations: [UInt8] = []
    var hasAnchor = false
  }

  private let bytes: [UInt8]
  private var place = 0

  init(_ value: [UInt8]) { bytes = value }

  /// Returns the next link; nil at the end, or where the value is malformed.
  mutating func nextLink() -> Link? {
    skip { " \t,".utf8.contains($0) }
    guard take(UInt8(ascii: "<")) else { return nil }
    let target = read { $0 != UInt8(ascii: ">") }
    guard take(UInt8(ascii: ">")) else { return nil }
    var link = Link(target: Array(target))
    var hasRelations = false
    skip(isSpace)
    while take(UInt8(ascii: ";")) {
      skip(isSpace)
      let name = read { !" \t=;,".utf8.contains($0) }
      skip(isSpace)
      let value = take(UInt8(ascii: "=")) ? parameterValue() : []
      skip(isSpace)
      if name.elementsEqual("rel".utf8, by: LinkTarget.isSameLetter), !hasRelations {
        // Later parameters of the same name are ignored (section 3.3).
        link.relations = value
        hasRelations = true
      } else if name.elementsEqual("anchor".utf8, by: LinkTarget.isSameLetter) {
        link.hasAnchor = true
      }
    }
    // Whatever follows a parameter up to the next comma is malformed and ignored.
    skip { $0 != UInt8(ascii: ",") }
    return link
  }

  private mutating func parameterValue() -> [UInt8] {
    skip(isSpace)
    guard take(UInt8(ascii: "\"")) else { return Array(read { !";, \t".utf8.contains($0) }) }
    var value: [UInt8] = []
    while place < bytes.count, !take(UInt8(ascii: "\"")) {
      if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count { place += 1 }
      value.append(bytes[place])
      place += 1
    }
    return value
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) { _ = read(isSkipped) }

  private mutating func read(_ isIncluded: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = place
    while place < bytes.count, isIncluded(bytes[place]) { place += 1 }
    return bytes[start..<place]
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }
}
