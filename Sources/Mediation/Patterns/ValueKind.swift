/// The kind of values that a placeholder accepts.
///
/// As sets of texts: int ⊂ double ⊂ text, uuid ⊂ text, bool ⊂ text; any other two kinds are disjoint.
/// So of two placeholders at the same position one is more specific, or they exclude each other.
public enum ValueKind: String, Sendable, Hashable, CaseIterable {
  /// `true` or `false`.
  case bool
  /// Hexadecimal digits in the form 8-4-4-4-12.
  case uuid
  /// Decimal digits, optionally preceded by `-`, that fit in 64 bits.
  case int
  /// A finite decimal number: `-1`, `2.50`, `6e-3`.
  case double
  /// Any non-empty text.
  case text

  /// A phrase that describes the kind in messages.
  var words: String {
    switch self {
    case .bool: "\"true\" or \"false\""
    case .uuid: "a UUID in the form 8-4-4-4-12"
    case .int: "a decimal integer of at most 64 bits"
    case .double: "a finite decimal number"
    case .text: "a non-empty text"
    }
  }

  /// A text of this kind and of no narrower kind.
  var sample: String {
    switch self {
    case .bool: "true"
    case .uuid: "00000000-0000-4000-8000-000000000000"
    case .int: "1"
    case .double: "1.5"
    case .text: "x"
    }
  }

  /// Returns whether every text of this kind is also of the other kind.
  package func isIncluded(in other: ValueKind) -> Bool {
    self == other || other == .text || (self == .int && other == .double)
  }

  /// Returns whether some text is of both kinds.
  func meets(_ other: ValueKind) -> Bool { isIncluded(in: other) || other.isIncluded(in: self) }

  /// The kind's position in the order in which kinds are tried, from narrow to wide.
  var rank: Int {
    switch self {
    case .bool: 0
    case .uuid: 1
    case .int: 2
    case .double: 3
    case .text: 4
    }
  }

  /// Returns whether a text is of this kind.
  package func matches(_ text: String) -> Bool { matches(text.utf8.span) }

  /// Returns whether decoded bytes are a text of this kind.
  ///
  /// Allocates only for a number close to the limit of `Double`.
  func matches(_ bytes: Span<UInt8>) -> Bool {
    switch self {
    case .bool: Self.isBoolean(bytes)
    case .uuid: Self.isUUID(bytes)
    case .int: Self.isInteger(bytes)
    case .double: Self.isNumber(bytes)
    case .text: !bytes.isEmpty
    }
  }
}
