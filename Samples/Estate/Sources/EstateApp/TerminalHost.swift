import Navigation
import TerminalScreens

/// Prints the top screen whenever another one is shown, or its content changes.
@MainActor final class TerminalHost: NavigationHost {
  private static let width = 78
  private let console: any Console
  private var update: NavigationUpdate?

  init(console: any Console) { self.console = console }

  func render(_ update: NavigationUpdate) {
    self.update = update
    if let screen = update.topScreen as? any ChangingScreen {
      screen.onChange = { [weak self, weak screen] in
        guard let update = self?.update, (update.topScreen as? any ChangingScreen) === screen else { return }
        self?.draw(update)
      }
    }
    draw(update)
  }

  private func draw(_ update: NavigationUpdate) {
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
