public import Mediation

/// Navigation commands as text that code of the app writes: `tab/orders`, `back`, `dismiss/all
/// present/estate://login`.
///
/// Steps are separated by spaces and followed in their order:
///
/// | step | what it does |
/// |---|---|
/// | `back` | removes the top of the current stack |
/// | `back/root` | leaves only the first screen of the current stack |
/// | `back/estate://home/1` | goes back to the screen that came from this URL, or from a route of this name |
/// | `dismiss`, `dismiss/all` | removes the topmost presented stack, or all of them |
/// | `close/all` | removes everything |
/// | `tab/NAME`, `slide/0/1` | shows the tab of the name, which may have slashes: `slide/0/1` is the tab `0/1` |
/// | `estate://home/1` | opens the URL; the screen enters as it is declared |
/// | `push/URL`, `present/URL`, `replace/URL`, `root/URL` | opens the URL; the screen enters in this way |
///
/// It is for shortcuts, menus and tests within the app. Never make one of text from outside, for presentation
/// is not the outside's to choose: `Mediator.receive` knows none of these words. At most 16 steps and 8 KiB;
/// the names of tabs have no spaces here.
public struct NavigationPath: Sendable, Hashable, CustomStringConvertible {
  /// One thing to do.
  public enum Step: Sendable, Hashable {
    /// Remove the current stack's top.
    case back
    /// Remove all but the first screen of the current stack.
    case backToRoot
    /// Go back to the screen of the current stack that came from this URL or route.
    case backTo(name: String)
    /// Remove the topmost presented stack.
    case dismiss
    /// Remove all presented stacks.
    case dismissAll
    /// Remove everything.
    case closeAll
    /// Show a tab.
    case select(tab: String)
    /// Open a URL, in the declared style if there is none here.
    case open(url: String, Presentation?)
  }

  static let stepLimit = 16
  static let textLimit = 8 * 1024

  /// The steps in their order; there is at least one.
  public let steps: [Step]
  /// The text as it was given.
  public let description: String

  /// Reads the steps; all are read before any is followed.
  ///
  /// - Throws: `NavigationPathError` with the first step that is none.
  public init(_ text: String) throws(NavigationPathError) {
    if text.utf8.count > Self.textLimit { throw .tooLong(limit: Self.textLimit) }
    let words = text.split(separator: " ", maxSplits: Self.stepLimit)
    if words.isEmpty { throw .empty }
    if words.count > Self.stepLimit { throw .tooMany(limit: Self.stepLimit) }
    var steps: [Step] = []
    for word in words { steps.append(try Self.step(word)) }
    self.steps = steps
    description = text
  }

  private static func step(_ word: Substring) throws(NavigationPathError) -> Step {
    let head = word.prefix { $0 != "/" }
    // The colon of its scheme tells a URL from a command.
    if head.hasSuffix(":") { return .open(url: String(word), nil) }
    let rest = head.endIndex == word.endIndex ? nil : word[word.index(after: head.endIndex)...]
    if let rest, rest.isEmpty { throw .unknown(String(word)) }
    switch (head, rest.map(String.init)) {
    case ("back", nil): return .back
    case ("back", "root"?): return .backToRoot
    case ("back", let name?): return .backTo(name: name)
    case ("dismiss", nil): return .dismiss
    case ("dismiss", "all"?): return .dismissAll
    case ("close", "all"?): return .closeAll
    case ("tab", let name?), ("slide", let name?): return .select(tab: name)
    case ("push", let url?): return .open(url: url, .push)
    case ("present", let url?): return .open(url: url, .present)
    case ("replace", let url?): return .open(url: url, .replace)
    case ("root", let url?): return .open(url: url, .root)
    default: throw .unknown(String(word))
    }
  }
}

extension Navigator {
  /// Follows a path, one step after another; URLs are opened as code of the app.
  ///
  /// - Throws: What the first step that fails throws, `NavigationError` or `RouteError`; the steps before it
  ///   stay done.
  public func follow(_ path: NavigationPath, through mediator: Mediator) async throws {
    for step in path.steps {
      switch step {
      case .back: try perform(.pop)
      case .backToRoot: try perform(.popToRoot)
      case .backTo(let name):
        guard let entry = state.currentStack.last(where: { $0.name == name || $0.url == name }) else {
          throw NavigationError.unknownName(name)
        }
        try perform(.popTo(entry.id))
      case .dismiss: try perform(.dismiss)
      case .dismissAll: try perform(.dismissAll)
      case .closeAll: try perform(.closeAll)
      case .select(let name): try perform(.select(tab: name))
      case .open(let url, let style?): try await mediator.open(url, as: style)
      case .open(let url, nil): try await mediator.open(url)
      }
    }
  }

  /// Reads a path and follows it; nothing is done if it cannot be read.
  ///
  /// - Throws: `NavigationPathError`; what `follow` of a read path throws.
  public func follow(_ path: String, through mediator: Mediator) async throws {
    try await follow(NavigationPath(path), through: mediator)
  }
}
