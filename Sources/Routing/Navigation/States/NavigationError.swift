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
  /// An aspect shows a screen while it is asked about one, or performs a command while it receives an event.
  case navigatingAspect(String)
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
    case .navigatingAspect(let name):
      "Aspect \(name) navigates while a screen is being opened or an event is delivered; start a task that does so afterwards."
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
