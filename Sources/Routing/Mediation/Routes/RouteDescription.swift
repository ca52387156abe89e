/// A declared route as plain data, for manifests, drawings and tests.
///
/// The same declarations give the same values in every run. `description` leaves out the file and the line,
/// which change whenever the module is edited, so that it can be compared with a committed text.
public struct RouteDescription: Sendable, Hashable, Codable {
  /// The name of the route's type.
  public let name: String
  /// The module that declares the route.
  public let module: String
  /// The route's purpose, as given by its type; may be empty.
  package let purpose: String
  /// The text of the pattern; nil for a native route.
  public let pattern: String?
  /// The texts of the route's aliases.
  public let aliases: [String]
  /// The callers that may reach the route.
  public let reach: Reach
  /// The external sources that may reach the route, sorted; empty unless `reach` is `.link`.
  public let sources: [Source]
  /// The placeholders of the pattern, those in the path first.
  public let parameters: [Parameter]
  /// The name of the route's output type.
  package let output: String
  /// The ids of all guards, including the app's and the module's, in the order in which they run.
  package let guards: [String]
  /// The priority that decides an overlap with another pattern; the higher one wins.
  public let priority: Int
  /// The file of the declaration, as `#fileID` gives it.
  package let file: String
  /// The line in the file.
  package let line: Int

  /// The callers that may reach a route.
  public enum Reach: String, Sendable, Hashable, Codable {
    /// Code that has access to the route's type; no URL.
    case native
    /// URLs from its own module.
    case moduleOnly
    /// URLs from any code in the app.
    case app
    /// URLs from any code in the app, and external URLs from the route's `sources`.
    case link
  }

  /// An external source.
  public struct Source: Sendable, Hashable, Codable {
    /// `scheme`, `universal`, `push`, `web` or `shortcut`.
    public let kind: String
    /// The scheme or the host; nil for push messages and shortcuts.
    public let name: String?
  }

  /// A placeholder of a pattern.
  public struct Parameter: Sendable, Hashable, Codable {
    /// The placeholder's name.
    public let name: String
    /// `bool`, `uuid`, `int`, `double`, `text`, the texts of an enumeration as in `house|condo`, or `rest`
    /// for a tail of the path.
    public let kind: String
    /// The key of the query field; nil for a placeholder in the path.
    public let key: String?
    /// Whether a URL may omit the parameter.
    public let isOptional: Bool
  }
}

extension RouteDescription: CustomStringConvertible {
  /// The route in one line, without its file.
  public var description: String {
    var words = ["\(module).\(name)", pattern ?? "(native)"]
    words += aliases.map { "also \($0)" }
    words.append("-> \(output)")
    let ways = sources.map { source in source.kind + (source.name.map { ":\($0)" } ?? "") }
    words.append("[" + ([reach.rawValue] + ways).joined(separator: " ") + "]")
    if !guards.isEmpty { words.append("guards: " + guards.joined(separator: ", ")) }
    if priority != 0 { words.append("priority: \(priority)") }
    return words.joined(separator: "  ")
  }
}

extension RouteDescription {
  init(_ registered: RegisteredRoute) {
    let route = registered.declaration
    name = route.place.name
    module = route.module
    purpose = route.purpose
    pattern = route.pattern?.text
    aliases = route.aliases.map(\.text).sorted()
    reach = Reach(route.exposure)
    sources = Source.all(of: route.exposure)
    parameters = route.pattern.map(Parameter.all) ?? []
    output = route.output
    guards = registered.guards.map(\.id)
    priority = route.priority
    file = route.place.file
    line = route.place.line
  }

  /// Orders by module, then pattern, then name; native routes come last in their module.
  static func precedes(_ first: RouteDescription, _ second: RouteDescription) -> Bool {
    if first.module != second.module { return first.module < second.module }
    return switch (first.pattern, second.pattern) {
    case (let one?, let two?) where one != two: one < two
    case (_?, nil): true
    case (nil, _?): false
    default: first.name < second.name
    }
  }
}

extension RouteDescription.Reach {
  fileprivate init(_ exposure: Exposure?) {
    self =
      switch exposure {
      case nil: .native
      case .moduleOnly: .moduleOnly
      case .app: .app
      case .link: .link
      }
  }
}

extension RouteDescription.Source {
  fileprivate static func all(of exposure: Exposure?) -> [Self] {
    guard case .link(let sources) = exposure else { return [] }
    return sources.map(Self.init).sorted { ($0.kind, $0.name ?? "") < ($1.kind, $1.name ?? "") }
  }

  private init(_ source: LinkSource) {
    switch source.normalized {
    case .scheme(let scheme): self.init(kind: "scheme", name: scheme)
    case .universal(let host): self.init(kind: "universal", name: host)
    case .push: self.init(kind: "push", name: nil)
    case .web(let host): self.init(kind: "web", name: host)
    case .shortcut: self.init(kind: "shortcut", name: nil)
    }
  }
}

extension RouteDescription.Parameter {
  fileprivate static func all(of pattern: RoutePattern) -> [Self] {
    let path = pattern.segments.enumerated().compactMap { index, segment -> Self? in
      switch segment {
      case .literal: nil
      case .value(let name, let kind):
        Self(name: name, kind: kind.description, key: nil, isOptional: index >= pattern.leastCount)
      case .rest(let name): Self(name: name, kind: "rest", key: nil, isOptional: false)
      }
    }
    return path
      + pattern.fields.map { field in
        Self(name: field.name, kind: field.kind.description, key: field.key, isOptional: field.isOptional)
      }
  }
}
