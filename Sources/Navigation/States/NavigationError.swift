/// Why a navigation command cannot be followed; the state is then as before.
public enum NavigationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is nothing below the current screen.
  case nothingBelow
  /// Nothing is presented.
  case nothingPresented
  /// No shown screen has this identity, or not in the current stack.
  case unknownEntry(EntryID)
  /// No screen of the current stack came from this URL or route.
  case unknownName(String)
  /// The identity is in use already.
  case repeatedEntry(EntryID)
  /// There is no tab of this name.
  case unknownTab(String, known: [String])
  /// Two tabs have this name.
  case repeatedTab(String)
  /// The state holds as many entries as it may.
  case full(limit: Int)
  /// The host answered each of so many renders with another command.
  case renderLoop(limit: Int)
  /// A saved state is being restored already.
  case restoring

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .nothingBelow: "There is no screen below the current one; show another root in its place."
    case .nothingPresented: "Nothing is presented that could be dismissed; pop instead."
    case .unknownEntry(let id): "Screen \(id) is not shown there; it may have been left already."
    case .unknownName(let name):
      "No screen of the current stack came from “\(name)”; name it as its entry does, or go to the root."
    case .repeatedEntry(let id): "Screen \(id) is shown already; use a new identity for each screen."
    case .unknownTab(let name, let known):
      known.isEmpty
        ? "There is no tab “\(name)”, for this navigation has no tabs."
        : "There is no tab “\(name)”; the tabs are \(known.joined(separator: ", "))."
    case .repeatedTab(let name): "Two tabs are called “\(name)”; give each its own name."
    case .full(let limit):
      "\(limit) screens are open, which is the limit; leave some, or begin with a higher limit."
    case .renderLoop(let limit):
      "The host asked for another change in each of \(limit) renders in a row; let it render without commands."
    case .restoring: "A saved state is being restored; wait until that has ended."
    }
  }
}
