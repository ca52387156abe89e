/// A change requested by code or by a gesture of the user.
///
/// A URL never becomes a command: the app alone decides on the presentation and order of its screens.
public enum NavigationCommand: Sendable, Hashable {
  /// Shows an entry.
  case show(NavigationEntry, Presentation)
  /// Removes the top of the current stack; a presented stack is dismissed with its only entry.
  case pop
  /// Removes the entries above an entry in the current stack.
  case popTo(EntryID)
  /// Removes all but the first entry of the current stack.
  case popToRoot
  /// Removes the topmost presented stack.
  case dismiss
  /// Removes all presented stacks.
  case dismissAll
  /// Removes an entry of any stack and the entries above it.
  case close(EntryID)
  /// Removes all entries of all tabs and all presented stacks, as on logout; the tabs remain.
  case closeAll
  /// Selects a tab and dismisses all presented stacks.
  case select(tab: String)
  /// Returns to an entry of any stack: selects its tab and removes the entries above it.
  case reveal(EntryID)
}

/// How a screen is presented.
///
/// The declaration of the screen or the calling code decides; a URL never does.
public enum Presentation: Sendable, Hashable {
  /// On top of the current stack.
  case push
  /// In a new stack over everything.
  case present
  /// Replacing the top of the current stack.
  case replace
  /// As the only entry of the selected tab, with nothing presented.
  case root
  /// On top of the stack of a tab, which is selected.
  case tab(String)
}

/// A change made by a command, for a host that animates.
public enum NavigationChange: Sendable, Hashable {
  /// The entry was pushed onto the current stack.
  case pushed(NavigationEntry)
  /// A new stack with this entry was presented over everything.
  case presented(NavigationEntry)
  /// The entry replaced the top of the current stack.
  case replaced(NavigationEntry, by: NavigationEntry)
  /// The entry became the only one of the selected tab.
  case rooted(NavigationEntry)
  /// These entries were removed, from the top down.
  case removed([NavigationEntry])
  /// Another tab was selected.
  case selected(tab: String)
  /// These entries were restored from a saved state, beneath what was shown.
  case restored([NavigationEntry])
}

/// The reason that a navigation command failed; the state is unchanged.
public enum NavigationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no screen below the current one.
  case nothingBelow
  /// Nothing is presented.
  case nothingPresented
  /// No shown screen has this identity, or it is not in the current stack.
  case unknownEntry(EntryID)
  /// The identity is already in use.
  case repeatedEntry(EntryID)
  /// There is no tab of this name.
  case unknownTab(String, known: [String])
  /// Two tabs have this name.
  case repeatedTab(String)
  /// The state contains the maximum number of entries.
  case full(limit: Int)
  /// The host answered the maximum number of consecutive renders with another command each.
  case renderLoop(limit: Int)
  /// A restoration of a saved state is already running.
  case restoring
  /// A route is its own parent, directly or through these routes.
  case parentCycle([String])
  /// More screens than the limit would be below a screen; the first of these routes is its own.
  case tooManyParents([String], limit: Int)
  /// A parent of a route is not declared as a screen.
  case parentWithoutScreen(String, of: String)

  /// The problem and its remedy.
  public var description: String {
    switch self {
    case .nothingBelow: "There is no screen below the current one; replace it with another root instead."
    case .nothingPresented: "Nothing is presented that could be dismissed; pop instead."
    case .unknownEntry(let id): "Screen \(id) is not shown there; check that the user has not left it."
    case .repeatedEntry(let id): "Screen \(id) is shown already; use a new identity for each screen."
    case .unknownTab(let name, let known):
      known.isEmpty
        ? "There is no tab \"\(name)\": this navigation has no tabs."
        : "There is no tab \"\(name)\"; the tabs are \(known.joined(separator: ", "))."
    case .repeatedTab(let name): "Two tabs are named \"\(name)\"; give each a unique name."
    case .full(let limit):
      "\(limit) screens are open, which is the limit; close some, or create the state with a higher limit."
    case .renderLoop(let limit):
      "The host performed another command in each of \(limit) consecutive renders; make it render without commands."
    case .restoring: "A saved state is already being restored; wait until that is complete."
    case .parentCycle(let names):
      "The parents of routes form a cycle: \(names.joined(separator: " → ")); remove one of these parents."
    case .tooManyParents(let names, let limit):
      "More than \(limit) screens would be below \(names.first ?? "a screen"): "
        + "\(names.joined(separator: " → ")); let a route have fewer parents."
    case .parentWithoutScreen(let parent, let route):
      "\(parent), a parent of \(route), is not a screen; declare it with screen(_:), or remove it from the parents."
    }
  }
}
