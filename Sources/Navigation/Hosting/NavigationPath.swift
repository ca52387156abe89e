package import Mediation

/// Navigation commands as text written by code of the app: `tab/orders`, `back`, `dismiss/all
/// present/estate://login`.
///
/// Steps are separated by spaces and performed in order:
///
/// | step | effect |
/// |---|---|
/// | `back` | removes the top of the current stack |
/// | `back/root` | removes all but the first screen of the current stack |
/// | `back/estate://home/1` | goes back to the screen opened by this URL or by a route of this name |
/// | `dismiss`, `dismiss/all` | removes the topmost presented stack, or all of them |
/// | `close/all` | removes everything |
/// | `tab/NAME`, `slide/0/1` | selects the tab of this name; slashes are allowed: `slide/0/1` is tab `0/1` |
/// | `estate://home/1` | opens the URL; the screen is presented as declared |
/// | `push/URL`, `present/URL`, `replace/URL`, `root/URL` | opens the URL; the screen is presented this way |
///
/// Use it for shortcuts, menus and tests within the app. Never create a path from external text: presentation
/// is the app's decision, and `Mediator.receive` accepts none of these words. The maximum is 16 steps and 8
/// KiB; a tab whose name contains a space cannot be selected.
package struct NavigationPath: Sendable, Hashable, CustomStringConvertible {
  /// One step of a path.
  package enum Step: Sendable, Hashable {
    /// Removes the top of the current stack.
    case back
    /// Removes all but the first screen of the current stack.
    case backToRoot
    /// Goes back to the screen of the current stack that was opened by this URL or route.
    case backTo(name: String)
    /// Removes the topmost presented stack.
    case dismiss
    /// Removes all presented stacks.
    case dismissAll
    /// Removes everything.
    case closeAll
    /// Selects a tab.
    case select(tab: String)
    /// Opens a URL, in the declared style if none is given here.
    case open(url: String, Presentation?)
  }

  static let stepLimit = 16
  static let textLimit = 8 * 1024

  /// The steps in order; at least one.
  package let steps: [Step]
  /// The original text.
  package let description: String

  /// Parses all steps of a text before any is performed.
  ///
  /// - Throws: `NavigationPathError` for the first invalid step.
  package init(_ text: String) throws(NavigationPathError) {
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
    // The colon after its scheme distinguishes a URL from a command.
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
  /// Performs the steps of a path one after another; URLs are opened as code of the app.
  ///
  /// - Throws: The `NavigationError` or `RouteError` of the first step that fails; the effects of the steps
  ///   before it remain.
  package func follow(_ path: NavigationPath, through mediator: Mediator) async throws {
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

  /// Parses a path and performs its steps; nothing is done if it is invalid.
  ///
  /// - Throws: `NavigationPathError`, or what following the parsed path throws.
  package func follow(_ path: String, through mediator: Mediator) async throws {
    try await follow(NavigationPath(path), through: mediator)
  }
}

/// The reason that a text is not a valid navigation path.
package enum NavigationPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text has no steps.
  case empty
  /// A step is not known.
  case unknown(String)
  /// The text exceeds the maximum number of steps.
  case tooMany(limit: Int)
  /// The text exceeds the maximum number of bytes.
  case tooLong(limit: Int)

  /// The problem and its remedy.
  package var description: String {
    switch self {
    case .empty: "The navigation path has no steps; write one, such as \"back\" or \"tab/orders\"."
    case .unknown(let step):
      "\"\(step.prefix(200).prefix { $0 != "?" && $0 != "#" })\" is not a navigation step; the steps are a URL, back, back/root, "
        + "back/NAME, dismiss, dismiss/all, close/all, tab/NAME, slide/NAME, push/URL, present/URL, replace/URL and root/URL."
    case .tooMany(let limit): "The navigation path has more than \(limit) steps; split it into several paths."
    case .tooLong(let limit):
      "The navigation path is longer than \(limit) bytes; split it into several paths."
    }
  }
}
