public import Navigation

/// A screen that a terminal can show.
@MainActor public protocol TerminalScreen: Screen {
  /// The screen's content, line by line, without its title.
  var lines: [String] { get }
}

/// A screen of fixed text.
public struct TextScreen: TerminalScreen {
  /// The title.
  public let title: String
  /// The content.
  public let lines: [String]

  /// Makes a screen of a title and its lines.
  public init(title: String, lines: [String]) {
    self.title = title
    self.lines = lines
  }
}
