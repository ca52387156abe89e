/// The URLs that lead to one route: `estate://home/{id:int}?tab={tab?}`.
///
/// The host is always a literal and, with an app's own scheme, the first literal of the path. A path segment
/// is a literal, a placeholder `{name}` or `{name:kind}` (`int`, `double`, `uuid`, `bool`, `text`; without a
/// kind it is `text`), or, as the last one, a tail `{name...}` of at least one segment. Query fields are
/// written `key={name}`, required, or `key={name?}`, optional, also with a kind: `page={page:int?}`. Of the
/// path only the last segment can be optional, `{page:int?}`, and no tail. The rules of matching: the article
/// "Matching" of the documentation.
///
/// Written as a literal, a faulty pattern does not stop the program: it keeps its fault, and building the
/// mediator reports it together with all others.
public struct RoutePattern: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The pattern as it was written.
  public let text: String
  /// What is wrong with the pattern, if it was written as a literal and is faulty.
  public let fault: RoutePatternError?

  /// One part between slashes; the host is the first.
  enum Segment: Sendable, Hashable {
    case literal(String)
    case value(name: String, kind: ValueKind)
    case rest(name: String)
  }

  /// One declared query field.
  struct Field: Sendable, Hashable {
    let key: String
    let name: String
    let kind: ValueKind
    let isOptional: Bool
  }

  let scheme: String
  /// The host and the segments of the path.
  let segments: [Segment]
  let fields: [Field]
  /// Whether URLs without the last segment match as well.
  let isLastOptional: Bool

  /// Parses a pattern.
  ///
  /// - Throws: `RoutePatternError`, with the offset of the fault and the remedy.
  public init(_ text: String) throws(RoutePatternError) {
    var parser = RoutePatternParser(text)
    let parts = try parser.parse()
    self.init(text: text, parts: parts, fault: nil)
  }

  /// Keeps the pattern, or its fault for the report of the table.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      self.init(text: text, parts: .init(), fault: error)
    }
  }

  private init(text: String, parts: RoutePatternParser.Parts, fault: RoutePatternError?) {
    self.text = text
    self.fault = fault
    scheme = parts.scheme
    segments = parts.segments
    fields = parts.fields
    isLastOptional = parts.isLastOptional
  }

  /// The pattern as it was written.
  public var description: String { text }

  /// The names of all placeholders, those of the path first.
  public var parameterNames: [String] {
    segments.compactMap {
      switch $0 {
      case .literal: nil
      case .value(let name, _), .rest(let name): name
      }
    } + fields.map(\.name)
  }

  var host: String {
    if case .literal(let host) = segments.first { host } else { "" }
  }

  var hasRest: Bool {
    if case .rest = segments.last { true } else { false }
  }

  /// The names of the placeholders that every URL has a value for.
  var requiredNames: [String] {
    let path = segments.prefix(leastCount).compactMap { segment -> String? in
      switch segment {
      case .literal: nil
      case .value(let name, _), .rest(let name): name
      }
    }
    return path + fields.filter { !$0.isOptional }.map(\.name)
  }

  /// The host as it is written in a URL.
  var writtenHost: String { URLHead.isWeb(scheme) ? host : PercentEncoding.encode(host) }

  /// The least number of segments, the host included, of a URL that matches.
  var leastCount: Int { segments.count - (isLastOptional ? 1 : 0) }

  /// Whether a URL must have the query field of every field of the other pattern that must be there.
  func requiresFields(of other: RoutePattern) -> Bool {
    other.fields.allSatisfy { theirs in
      theirs.isOptional || fields.contains { !$0.isOptional && $0.key.utf8.elementsEqual(theirs.key.utf8) }
    }
  }

  func field(named name: String) -> Field? { fields.first { $0.name == name } }
}
