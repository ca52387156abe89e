/// A declared route as plain data, for manifests, drawings and tests.
///
/// The same declarations give the same values in every run. `file` and `line` change whenever the module is
/// edited, so `description` and other texts that are compared with a committed file leave them out.
public struct RouteDescription: Sendable, Hashable, Codable {
  /// The name of the route's type.
  public let name: String
  /// The module that declares the route.
  public let module: String
  /// The route's purpose, as given by its type; may be empty.
  public let purpose: String
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
  public let output: String
  /// The ids of all guards, including the app's and the module's, in the order in which they run.
  public let guards: [String]
  /// The priority that decides an overlap with another pattern; the higher one wins.
  public let priority: Int
  /// The file of the declaration, as `#fileID` gives it.
  public let file: String
  /// The line in the file.
  public let line: Int

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
