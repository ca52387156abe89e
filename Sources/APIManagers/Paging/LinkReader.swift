/// Splits the value of a `Link` field into links, by the algorithm of RFC 8288, appendix B.2.
struct LinkReader {
  /// A link, as far as it is needed to follow it.
  struct Link {
    var target: [UInt8]
    /// The value of the first `rel` parameter, a list separated by spaces.
    var relations: [UInt8] = []
    var hasAnchor = false
  }

  private let bytes: [UInt8]
  private var place = 0

  init(_ value: String) { bytes = Array(value.utf8) }

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
