public import Navigation

/// A screen of lines of text: what a terminal shows as it is, and a page of HTML as paragraphs.
///
/// The modules say what is shown, as text without markup; whichever host the app has makes it fit for its own
/// kind of display.
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
