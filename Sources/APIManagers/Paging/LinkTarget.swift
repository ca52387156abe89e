import HTTPTypes
import Interception

/// Reads the targets of links in `Link` fields (RFC 8288, section 3), in one pass over the bytes.
enum LinkTarget {
  /// Returns the target of the first link of relation `next`; nil if there is none.
  static func next(in fields: HTTPFields) -> String? {
    guard let name = HTTPField.Name("Link") else { return nil }
    for value in fields[values: name] {
      if let target = target(ofRelation: "next", in: value) { return target }
    }
    return nil
  }

  /// Returns the decoded value of a query parameter of a URL or relative reference.
  static func value(of parameter: String, in target: String) -> String? {
    let reference = target.utf8.prefix { $0 != UInt8(ascii: "#") }
    let item = QueryItems(String(decoding: reference, as: UTF8.self)).items
      .first { $0.name.elementsEqual(parameter.utf8) }
    return item.flatMap { String(validating: $0.value, as: UTF8.self) }
  }

  static func target(ofRelation relation: String, in value: String) -> String? {
    var reader = LinkReader(value)
    while let link = reader.nextLink() {
      // A link with an anchor is about another resource than the response (section 3.2).
      guard !link.hasAnchor else { continue }
      let relations = link.relations.split { " \t".utf8.contains($0) }
      if relations.contains(where: { $0.elementsEqual(relation.utf8, by: isSameLetter) }) {
        return String(validating: link.target, as: UTF8.self)
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
