/// A pattern of URLs that open one route: `estate://home/{id:int}?tab={tab?}`.
///
/// The host is always a literal and, with an app's own scheme, the first literal of the path. A path
/// segment is a literal, a placeholder `{name}` or `{name:kind}` (`int`, `double`, `uuid`, `bool`, `text`,
/// or an enumeration such as `house|condo`; the default is `text`), or, as the last segment, a tail
/// `{name...}` of at least one segment. Query fields are written `key={name}` if required and `key={name?}`
/// if optional, also with a kind: `page={page:int?}`. In the path, only the last segment can be optional,
/// `{page:int?}`; a tail cannot. The article "Matching" contains the rules of matching.
///
/// A faulty string literal does not stop the program: the pattern keeps its fault, and building the mediator
/// reports it together with all others.
public struct RoutePattern: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text of the pattern.
  public var text: String { storage.text }
  /// The fault of a pattern that was created from a faulty string literal, or nil.
  package var fault: SyntaxError? { storage.fault }

  /// A part between slashes; the host is the first.
  enum Segment: Sendable, Hashable {
    case literal(String)
    case value(name: String, kind: ValueKind)
    case rest(name: String)
  }

  /// A declared query field.
  struct Field: Sendable, Hashable {
    let key: String
    let name: String
    let kind: ValueKind
    let isOptional: Bool
  }

  package var scheme: String { storage.parts.scheme }
  /// The host and the path segments.
  var segments: [Segment] { storage.parts.segments }
  var fields: [Field] { storage.parts.fields }
  /// Whether URLs without the last segment match too.
  var isLastOptional: Bool { storage.parts.isLastOptional }

  private let storage: Storage

  /// The text and its parts.
  ///
  /// A class, so that passing a pattern costs one retain. Two are equal if their texts have the same bytes.
  private final class Storage: Sendable, Hashable {
    let text: String
    let fault: SyntaxError?
    let parts: RoutePatternParser.Parts

    init(text: String, fault: SyntaxError?, parts: RoutePatternParser.Parts) {
      self.text = text
      self.fault = fault
      self.parts = parts
    }

    static func == (left: Storage, right: Storage) -> Bool {
      left === right || left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  /// Parses a pattern.
  ///
  /// - Throws: ``SyntaxError``, whose description has the offset of the fault and the remedy.
  public init(_ text: String) throws(SyntaxError) {
    var parser = RoutePatternParser(text)
    let parts = try parser.parse()
    self.init(text: text, parts: parts, fault: nil)
  }

  /// Creates a pattern from a string literal; a fault is kept and reported by the route table.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      self.init(text: text, parts: .init(), fault: error)
    }
  }

  private init(text: String, parts: RoutePatternParser.Parts, fault: SyntaxError?) {
    storage = Storage(text: text, fault: fault, parts: parts)
  }

  /// The text of the pattern.
  public var description: String { text }

  /// The names of all placeholders, those in the path first.
  package var parameterNames: [String] {
    segments.compactMap {
      switch $0 {
      case .literal: nil
      case .value(let name, _), .rest(let name): name
      }
    } + fields.map(\.name)
  }

  package var host: String {
    if case .literal(let host) = segments.first { host } else { "" }
  }

  var hasRest: Bool {
    if case .rest = segments.last { true } else { false }
  }

  /// The names of the placeholders for which every matching URL has a value.
  package var requiredNames: [String] {
    let path = segments.prefix(leastCount).compactMap { segment -> String? in
      switch segment {
      case .literal: nil
      case .value(let name, _), .rest(let name): name
      }
    }
    return path + fields.filter { !$0.isOptional }.map(\.name)
  }

  /// The host in the form in which it is written in a URL.
  var writtenHost: String { URLHead.isWeb(scheme) ? host : PercentEncoding.encode(host) }

  /// The minimum number of segments of a matching URL, host included.
  var leastCount: Int { segments.count - (isLastOptional ? 1 : 0) }

  /// Returns whether this pattern requires every query field that the other pattern requires.
  func requiresFields(of other: RoutePattern) -> Bool {
    other.fields.allSatisfy { theirs in
      theirs.isOptional || fields.contains { !$0.isOptional && $0.key.utf8.elementsEqual(theirs.key.utf8) }
    }
  }

  func field(named name: String) -> Field? { fields.first { $0.name == name } }

  /// Returns whether every value of a query field is one that another pattern accepts for the same key.
  ///
  /// - Parameter value: The only value of the field; nil if it has any value of its kind.
  package func suits(_ other: RoutePattern, field name: String, value: String?) -> Bool {
    guard let field = field(named: name),
      let theirs = other.fields.first(where: { $0.key.utf8.elementsEqual(field.key.utf8) })
    else { return true }
    if let value { return theirs.kind == .text || theirs.kind.matches(value) }
    return field.kind.isIncluded(in: theirs.kind)
  }

  /// Returns whether a placeholder stands for the value of a query field.
  package func hasField(for name: String) -> Bool { field(named: name) != nil }
}

extension RoutePattern {
  /// A fault in the text of a route pattern, with its offset and a remedy.
  public struct SyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text of the pattern.
    package let text: String
    /// The offset in bytes at which the fault was found.
    package let offset: Int
    /// What is wrong, as a clause.
    package let problem: String
    /// What to do about it, as a clause.
    package let remedy: String

    /// One sentence with the pattern, the offset, the fault and the remedy.
    public var description: String { "Pattern \"\(text)\", byte \(offset): \(problem); \(remedy)." }
  }
}

extension RoutePattern {
  /// Returns the kind of values that a placeholder takes; nil if there is no placeholder of this name.
  ///
  /// Each segment of a tail is a `text`.
  package func kind(of name: String) -> ValueKind? {
    for segment in segments {
      switch segment {
      case .value(name, let kind): return kind
      case .rest(name): return .text
      default: continue
      }
    }
    return field(named: name)?.kind
  }

  /// The name of the tail placeholder `{name...}`; nil if the pattern has none.
  package var tailName: String? {
    if case .rest(let name) = segments.last { name } else { nil }
  }

  /// Returns whether the pattern by itself matches a URL.
  ///
  /// In a table, another pattern may match the URL and be more specific; ``Mediator/lookUp(_:)`` finds the
  /// one that wins. A faulty pattern and a text that is no URL match nothing.
  public func matches(_ text: String) -> Bool {
    guard let url = try? RouteURL(text) else { return false }
    return matches(url)
  }

  /// Returns whether the pattern by itself matches a URL.
  package func matches(_ url: RouteURL) -> Bool {
    // The first label is the scheme, which is no segment.
    let count = url.labels.count - 1
    guard fault == nil, url.port == nil, scheme == url.scheme, count >= leastCount,
      hasRest || count <= segments.count
    else { return false }
    for (index, segment) in segments.prefix(count).enumerated() {
      let label = url.labelBytes(index + 1)
      switch segment {
      case .literal(let text): if !label.elementsEqual(text.utf8) { return false }
      case .value(_, let kind): if !kind.matches(label.span) { return false }
      case .rest: continue
      }
    }
    return fields.allSatisfy { $0.isOptional || url.hasField(named: $0.key) }
  }
}
