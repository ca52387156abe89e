import Screens
import TerminalScreens

extension ContentScreen {
  /// The content as a terminal shows it.
  var lines: [String] { TerminalText(content).lines }
}
