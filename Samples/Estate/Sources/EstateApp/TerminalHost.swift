import Navigation
import TerminalScreens

/// Prints the top screen whenever it changes.
@MainActor final class TerminalHost: NavigationHost {
  private static let width = 78
  private let console: any Console

  init(console: any Console) { self.console = console }

  func render(_ update: NavigationUpdate) {
    guard let screen = update.topScreen else { return console.write("  (no screen is open)") }
    let path = update.state.currentStack.count
    console.write(
      "  ┌─ \(screen.title) " + String(repeating: "─", count: max(1, Self.width - screen.title.count - 4)))
    for line in (screen as? any TerminalScreen)?.lines ?? ["This screen has no text to show in a terminal."] {
      console.write("  │ \(line)")
    }
    console.write("  └─ \(path) on the stack " + String(repeating: "─", count: Self.width - 19))
  }
}
