/// One declared route in plain values, for manifests, drawings and tests.
///
/// Every field can be encoded as it is, and nothing in it changes from run to run. `file` and `line` move
/// with every edit of the module, so a text that is compared with a committed one leaves them out, as
/// `description` does.
public struct RouteDescription: Sendable, Hashable, Codable {
  /// The name of the route's type.
  public let name: String
  /// The module that declares it.
  public let module: String
  /// What the route is for, as its type says it; empty if it says nothing.
  public let purpose: String
  /// The text of its pattern; nil for a native route.
  public let pattern: String?
  /// The texts of further patterns that lead to the same route.
  public let aliases: [String]
  /// Who may reach it.
  public let reach: Reach
  /// The ways in from outside by which it may be reached, sorted; empty unless `reach` is `.link`.
  public let sources: [Source]
  /// The placeholders of its pattern, those of the path first.
  public let parameters: [Parameter]
  /// The name of the type it answers.
  public let output: String
  /// The ids of all guards it passes, the app's and the module's included, in the order in which they are
  /// asked.
  public let guards: [String]
  /// What settles an overlap with another pattern; the higher wins.
  public let priority: Int
  /// The file of the declaration, as `#fileID` gives it.
  public let file: String
  /// The line in the file.
  public let line: Int

  /// Who may reach a route.
  public enum Reach: String, Sendable, Hashable, Codable {
    /// Code that has the route's type; no URL leads there.
    case native
    /// URLs from its own module.
    case moduleOnly
    /// URLs from any code of the app.
    case app
    /// URLs from any code of the app, and from outside by the route's `sources`.
    case link
  }

  /// A way in from outside.
  public struct Source: Sendable, Hashable, Codable {
    /// `scheme`, `universal`, `push`, `web` or `shortcut`.
    public let kind: String
    /// The scheme or the host; nil for push messages and shortcuts.
    public let name: String?
  }

  /// One placeholder of a pattern.
  public struct Parameter: Sendable, Hashable, Codable {
    /// The placeholder's name.
    public let name: String
    /// `bool`, `uuid`, `int`, `double`, `text`, or `rest` for a tail of the path.
    public let kind: String
    /// The key of the query field; nil for a placeholder in the path.
    public let key: String?
    /// Whether a URL may leave it out.
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
