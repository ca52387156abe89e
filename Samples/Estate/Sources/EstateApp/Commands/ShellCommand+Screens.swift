import Screens
import Switchyard
import TerminalScreens

extension ShellCommand {
  /// The commands that a window's gestures and tab bar would give.
  static let screens = [
    ShellCommand("back", taking: "[SCREEN]", "leaves the top screen, or those above the one with this number")
    {
      shell, number in
      guard let number else { return shell.back() }
      guard let number = Int(number) else { return shell.say("  ! \(number) is not a number; see stack") }
      shell.perform(.popTo(EntryID(number)))
    },
    ShellCommand("root", "leaves all screens of the stack but the first") { shell, _ in
      shell.perform(.popToRoot)
    },
    ShellCommand("dismiss", taking: "[all]", "leaves the presented screens on top, or all presented screens")
    {
      shell, extent in
      shell.perform(extent == "all" ? .dismissAll : .dismiss)
    },
    ShellCommand("close", "leaves all screens") { shell, _ in shell.perform(.closeAll) },
    ShellCommand("tab", taking: "NAME", "selects a tab") { shell, name in
      shell.perform(.select(tab: String(name ?? "")))
    },
    ShellCommand("actions", "lists what can be done on the current screen, with URLs") { shell, _ in
      shell.listActions()
    },
    ShellCommand("stack", "lists the open screens, with what opened them") { shell, _ in
      shell.listScreens()
    },
  ]
}

extension EstateShell {
  /// Prints the actions, the choices and the forms of the top screen with their URLs.
  func listActions() {
    let screen = navigator.state.top.flatMap { navigator.screen($0.id) }
    let offered = (screen as? any ContentScreen)?.content.offeredRoutes ?? []
    if offered.isEmpty { say("  nothing can be done here") }
    for (label, route) in offered { say("  " + Amounts.padded(label, to: 28) + route) }
  }

  /// Prints the screens of every tab and the presented ones.
  func listScreens() {
    let state = navigator.state
    for (index, tab) in state.tabs.enumerated() {
      say("  \(index == state.selectedIndex ? "▸" : " ") \(tab.name)")
      list(tab.stack)
    }
    for stack in state.modals {
      say("    presented")
      list(stack)
    }
  }

  private func list(_ stack: [NavigationEntry]) {
    for entry in stack {
      let opener = entry.opener.map { ", opened by \($0)" } ?? ""
      say("    #\(entry.id.number) \(entry.url ?? entry.name)\(opener)")
    }
  }
}
