import Foundation

/// The parts of a route's pattern that decide which links match it.
///
/// The patterns of a manifest were validated when the mediator was built; any other invalid text gives nil.
struct LinkPattern: Sendable, Hashable {
  enum Segment: Sendable, Hashable {
    /// The decoded text.
    case literal(String)
    case placeholder
    /// A placeholder for one of these decoded texts.
    case oneOf([String])
    /// The remaining segments; at least one.
    case tail
  }

  struct Field: Sendable, Hashable {
    /// The key, which has one spelling: it consists of characters that need no percent-encoding.
    let key: String
    /// Whether a link may have the field without a value.
    let canBeEmpty: Bool
  }

  let scheme: String
  let host: String
  /// The segments after the host.
  let segments: [Segment]
  /// The query fields that every link must have, except those whose keys links may spell in several ways.
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
      guard label.hasPrefix("{") else { return .literal(Self.decoded(label)) }
      if label.hasSuffix("...}") { return .tail }
      let kind = label.dropLast(label.hasSuffix("?}") ? 2 : 1).drop { $0 != ":" }.dropFirst()
      return kind.contains("|") ? .oneOf(kind.split(separator: "|").map(Self.decoded)) : .placeholder
    }
    endsOptionally = labels.last?.hasPrefix("{") == true && labels.last?.hasSuffix("?}") == true
    let query = end < rest.endIndex ? rest[rest.index(after: end)...] : ""
    required = query.split(separator: "&").compactMap { field in
      guard let equals = field.firstIndex(of: "="), !field.hasSuffix("?}") else { return nil }
      let isText = !field.contains(":") || field.hasSuffix(":text}")
      let key = Self.decoded(field[..<equals])
      return key.utf8.allSatisfy(Spelling.isUnreserved) ? Field(key: key, canBeEmpty: isText) : nil
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

  private static func decoded(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }
}

extension LinkPattern {
  /// One of the usual ways to write the same text in a path.
  ///
  /// The mediator decodes a path before it compares it; Apple's systems compare it as it is written.
  enum Spelling: CaseIterable {
    /// All but unreserved characters are percent-encoded, as routes write them.
    case encoded
    /// What the mediator accepts in a segment is not encoded, as people and browsers write it: `/@me`.
    case bare
    /// As `encoded`, with lower-case hexadecimal digits.
    case encodedInLowercase
    /// As `bare`, with lower-case hexadecimal digits.
    case bareInLowercase

    /// Returns a text as a pattern of Apple's format.
    func pattern(for text: String) -> String {
      text.utf8.map { byte in
        if Self.isUnreserved(byte) { return String(UnicodeScalar(byte)) }
        if isBare, let character = Self.bareCharacters[byte] { return character }
        let digits = String(byte, radix: 16, uppercase: isUppercase)
        return byte < 16 ? "%0\(digits)" : "%\(digits)"
      }.joined()
    }

    private var isBare: Bool { self == .bare || self == .bareInLowercase }
    private var isUppercase: Bool { self == .encoded || self == .bare }

    /// The characters of a segment that need not be encoded, as written in a pattern.
    ///
    /// `*` is a wildcard and `$(` begins a variable there, so a wildcard for one character stands for these.
    private static let bareCharacters: [UInt8: String] = {
      var characters: [UInt8: String] = [:]
      for byte in "!&'()+,;=:@[]".utf8 { characters[byte] = String(UnicodeScalar(byte)) }
      for byte in "*$".utf8 { characters[byte] = "?" }
      return characters
    }()

    /// Returns whether a byte is an unreserved character of RFC 3986, section 2.3.
    static func isUnreserved(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        true
      default: false
      }
    }
  }

  /// The paths of the pattern's links as patterns of Apple's format, each once: in all usual spellings, with
  /// and without the slash at the end that the mediator ignores.
  var paths: [String] {
    var paths: [String] = []
    for spelling in Spelling.allCases {
      let path = segments.map { segment in
        switch segment {
        case .literal(let text): "/" + spelling.pattern(for: text)
        case .placeholder, .oneOf, .tail: "/?*"
        }
      }.joined()
      // A placeholder at the end includes the slash.
      let all = path.isEmpty ? ["/"] : path.hasSuffix("/?*") ? [path] : [path, path + "/"]
      paths += all.filter { !paths.contains($0) }
    }
    return paths
  }
}
