public import Navigation

/// A screen of lines of text, which a terminal prints and a page of HTML shows as paragraphs.
///
/// The modules provide text without markup; the app's host renders it for its display.
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

  /// Creates a screen of a title and lines.
  public init(title: String, lines: [String]) {
    self.title = title
    self.lines = lines
  }
}
