import Foundation

/// The parts of a route's pattern that decide which links match it.
///
/// The patterns of a manifest were validated when the mediator was built; any other invalid text gives nil.
struct LinkPattern: Sendable, Hashable {
  enum Segment: Sendable, Hashable {
    /// The percent-encoded text, as routes write it.
    case literal(String)
    case placeholder
    /// A placeholder for one of these percent-encoded texts.
    case oneOf([String])
    /// The remaining segments; at least one.
    case tail
  }

  struct Field: Sendable, Hashable {
    /// The percent-encoded key, as routes write it.
    let key: String
    /// Whether a link may have the field without a value.
    let canBeEmpty: Bool
  }

  let scheme: String
  let host: String
  /// The segments after the host.
  let segments: [Segment]
  /// The query fields that every link must have.
  let required: [Field]

  /// The maximum number of forms of a pattern with enumerations.
  ///
  /// Enumerations in several segments multiply; the later ones then accept any text, like other placeholders.
  static let maximumForms = 64

  /// Returns the forms of a pattern: one for each text of an enumeration, and those without the last
  /// segment if it is optional; none if the text is not a pattern.
  static func forms(of text: String) -> [LinkPattern] {
    guard let whole = LinkPattern(text) else { return [] }
    return (whole.endsOptionally ? [whole, whole.withoutLast] : [whole]).flatMap(\.spelledOut)
  }

  /// The pattern with a literal for each text of its enumerations.
  private var spelledOut: [LinkPattern] {
    var all: [[Segment]] = [[]]
    for segment in segments {
      var choices = [segment]
      if case .oneOf(let texts) = segment {
        choices = all.count * texts.count > Self.maximumForms ? [.placeholder] : texts.map(Segment.literal)
      }
      all = all.flatMap { path in choices.map { path + [$0] } }
    }
    return all.map { LinkPattern(whole: self, segments: $0) }
  }

  private let endsOptionally: Bool

  private var withoutLast: LinkPattern { LinkPattern(whole: self, segments: segments.dropLast()) }

  private init(whole: LinkPattern, segments: [Segment]) {
    (scheme, host, required) = (whole.scheme, whole.host, whole.required)
    self.segments = segments
    endsOptionally = false
  }

  private init?(_ text: String) {
    guard let mark = text.firstRange(of: "://") else { return nil }
    let rest = text[mark.upperBound...]
    let end = Self.pathEnd(of: rest)
    let labels = rest[..<end].split(separator: "/")
    guard let host = labels.first, !host.isEmpty else { return nil }
    scheme = text[..<mark.lowerBound].lowercased()
    self.host = host.lowercased()
    segments = labels.dropFirst().map { label in
      guard label.hasPrefix("{") else { return .literal(Self.encoded(label)) }
      if label.hasSuffix("...}") { return .tail }
      let kind = label.dropLast(label.hasSuffix("?}") ? 2 : 1).drop { $0 != ":" }.dropFirst()
      return kind.contains("|") ? .oneOf(kind.split(separator: "|").map(Self.encoded)) : .placeholder
    }
    endsOptionally = labels.last?.hasPrefix("{") == true && labels.last?.hasSuffix("?}") == true
    let query = end < rest.endIndex ? rest[rest.index(after: end)...] : ""
    required = query.split(separator: "&").compactMap { field in
      guard let equals = field.firstIndex(of: "="), !field.hasSuffix("?}") else { return nil }
      let isText = !field.contains(":") || field.hasSuffix(":text}")
      return Field(key: Self.encoded(field[..<equals]), canBeEmpty: isText)
    }
  }

  /// Returns the index of the first `?` outside a placeholder; inside it means optional.
  private static func pathEnd(of text: Substring) -> Substring.Index {
    var isInside = false
    for index in text.indices {
      switch text[index] {
      case "{": isInside = true
      case "}": isInside = false
      case "?" where !isInside: return index
      default: continue
      }
    }
    return text.endIndex
  }

  /// Percent-encodes all bytes except RFC 3986's unreserved characters, as routes write their literals.
  private static func encoded(_ text: Substring) -> String {
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    let plain = text.removingPercentEncoding ?? String(text)
    return plain.addingPercentEncoding(withAllowedCharacters: unreserved) ?? String(text)
  }
}
