import HTTPTypes
import Interception

/// The validators of a response (RFC 9110, section 8.8).
struct Validators: Sendable, Hashable {
  /// The entity tag, as received; its characters above 127 are opaque bytes.
  let entityTag: FieldText?
  /// The value of `Last-Modified`, as received.
  let lastModified: String?

  /// Reads the validators; nil if there are none.
  ///
  /// What isn't one entity tag is ignored: sent back, `*` would match any response, and a list any of it. So
  /// are different values of one field.
  init?(_ fields: HTTPFields) {
    entityTag = fields[text: .eTag].flatMap { Self.isEntityTag($0) ? $0 : nil }
    lastModified = fields.singleValue(.lastModified)
    if entityTag == nil, lastModified == nil { return nil }
  }

  /// Whether a 304 with these validators confirms a stored response with others (RFC 9111, section 4.3.4).
  ///
  /// A strong entity tag that both have is enough. Otherwise no validator of the 304 may differ from the
  /// stored one, and at least one must be the same. A date counts as strong, because the server that sends
  /// another one has another version. (A 304 without any validator confirms the response that was asked
  /// about.)
  func confirm(_ stored: Validators) -> Bool {
    var isSame = false
    if let entityTag, let storedTag = stored.entityTag {
      guard Self.opaque(entityTag) == Self.opaque(storedTag) else { return false }
      if !Self.isWeak(entityTag), !Self.isWeak(storedTag) { return true }
      isSame = true
    } else if let entityTag, !Self.isWeak(entityTag) {
      return false
    }
    guard let lastModified, let storedDate = stored.lastModified else { return isSame }
    return Self.areSameDates(lastModified, storedDate)
  }

  /// Whether there is a strong entity tag, in quotes as the grammar asks for.
  var areStrong: Bool { entityTag?.bytes.first == UInt8(ascii: "\"") }

  /// Whether these are of the same bytes as others, by equal strong entity tags (RFC 9110, section 8.8.3.2).
  func areOfSameBytes(as other: Validators) -> Bool { areStrong && entityTag == other.entityTag }

  /// Whether these are certainly of another version than others.
  func differ(from other: Validators) -> Bool {
    if let entityTag, let otherTag = other.entityTag {
      return Self.opaque(entityTag) != Self.opaque(otherTag)
    }
    guard let lastModified, let otherDate = other.lastModified else { return false }
    return !Self.areSameDates(lastModified, otherDate)
  }

  private static func areSameDates(_ left: String, _ right: String) -> Bool {
    if left == right { return true }
    guard let left = HTTPDate.parse(left), let right = HTTPDate.parse(right) else { return false }
    return left == right
  }

  private static func isWeak(_ tag: FieldText) -> Bool { tag.bytes.starts(with: "W/".utf8) }

  private static func opaque(_ tag: FieldText) -> ArraySlice<UInt8> {
    isWeak(tag) ? tag.bytes.dropFirst(2) : tag.bytes[...]
  }

  /// Whether a text is one entity tag; servers also send tags without quotes, which must then be words.
  private static func isEntityTag(_ text: FieldText) -> Bool {
    let tag = opaque(text)
    if tag.count >= 2, tag.first == UInt8(ascii: "\""), tag.last == UInt8(ascii: "\"") {
      return !tag.dropFirst().dropLast().contains(UInt8(ascii: "\""))
    }
    return !tag.isEmpty
      && !tag.contains { byte in
        byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "*")
      }
  }
}
