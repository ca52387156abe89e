import Screens
package import Switchyard
import TerminalScreens

/// Prints the top screen whenever another one is shown, or its content changes.
@MainActor final class TerminalHost: NavigationHost {
  private static let width = 78
  private let console: any Console
  private var update: NavigationUpdate?

  init(console: any Console) { self.console = console }

  func render(_ update: NavigationUpdate) {
    self.update = update
    update.follow { [weak self] screen in
      guard let update = self?.update, (update.topScreen as? any ChangingScreen) === screen else { return }
      self?.draw(update, "changed; ")
    }
    let changes = update.changes.map(\.word).joined(separator: ", ")
    draw(update, changes.isEmpty ? "" : changes + "; ")
  }

  private func draw(_ update: NavigationUpdate, _ change: String) {
    guard let screen = update.topScreen else { return console.write("  (no screen is open)") }
    let state = update.state
    console.write(
      "  ┌─ \(screen.title) " + String(repeating: "─", count: max(1, Self.width - screen.title.count - 4)))
    let text = (screen as? any ContentScreen).map { TerminalText($0.content).lines }
    for line in text ?? ["This screen has no text to show in a terminal."] {
      console.write("  │ \(line)")
    }
    let presented = state.modals.isEmpty ? "" : ", \(state.modals.count) presented"
    let foot = "\(state.currentStack.count) on the stack of \(state.selectedTab ?? "the app")\(presented)"
    console.write(
      "  └─ \(change)\(foot) "
        + String(repeating: "─", count: max(1, Self.width - foot.count - change.count - 4)))
  }
}

extension NavigationUpdate {
  /// Calls a closure after each change of the top screen.
  @MainActor func follow(_ onChange: @escaping @MainActor (any ChangingScreen) -> Void) {
    guard let screen = topScreen as? any ChangingScreen else { return }
    screen.onChange = { [weak screen] in if let screen { onChange(screen) } }
  }
}

/// Renders the screens with a host of the app's choice, and prints them as well.
@MainActor package final class PairedHosts: NavigationHost {
  private let hosts: [any NavigationHost]

  package init(_ host: any NavigationHost, printingTo console: any Console) {
    hosts = [host, TerminalHost(console: console)]
  }

  package func render(_ update: NavigationUpdate) {
    let screen = update.topScreen as? any ChangingScreen
    // Each host follows the screen by its one property.
    let handlers = hosts.compactMap { host -> (@MainActor () -> Void)? in
      host.render(update)
      return screen?.onChange
    }
    screen?.onChange = { for handle in handlers { handle() } }
  }
}

extension NavigationChange {
  fileprivate var word: String {
    switch self {
    case .pushed: "pushed"
    case .presented: "presented"
    case .replaced: "replaced"
    case .rooted: "the only one"
    case .removed(let entries): "\(entries.count) closed"
    case .selected(let tab): "tab \(tab)"
    case .restored(let entries): "\(entries.count) opened again"
    }
  }
}
