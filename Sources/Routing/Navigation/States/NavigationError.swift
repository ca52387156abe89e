/// The reason that a navigation command failed; the state is unchanged.
public struct NavigationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem and its remedy.
  public let description: String

  private init(_ description: String) { self.description = description }

  /// There is no screen below the current one.
  package static let nothingBelow = NavigationError(
    "There is no screen below the current one; replace it with another root instead.")

  /// Nothing is presented.
  package static let nothingPresented = NavigationError(
    "Nothing is presented that could be dismissed; pop instead.")

  /// A saved state is already being restored.
  package static let restoring = NavigationError(
    "A saved state is already being restored; wait until that is complete.")

  /// No shown screen has this identity, or it is not in the current stack.
  package static func unknownEntry(_ id: EntryID) -> NavigationError {
    NavigationError("Screen \(id) is not shown there; check that the user has not left it.")
  }

  /// The identity is already in use.
  package static func repeatedEntry(_ id: EntryID) -> NavigationError {
    NavigationError("Screen \(id) is shown already; use a new identity for each screen.")
  }

  /// There is no tab of this name.
  package static func unknownTab(_ name: String, known: [String]) -> NavigationError {
    NavigationError(
      known.isEmpty
        ? "There is no tab \"\(name)\": this navigation has no tabs."
        : "There is no tab \"\(name)\"; the tabs are \(known.joined(separator: ", ")).")
  }

  /// Two tabs have this name.
  package static func repeatedTab(_ name: String) -> NavigationError {
    NavigationError("Two tabs are named \"\(name)\"; give each a unique name.")
  }

  /// The state contains the maximum number of entries.
  package static func full(limit: Int) -> NavigationError {
    NavigationError(
      "\(limit) screens are open, which is the limit; close some, or create the state with a higher limit.")
  }

  /// The host answered the maximum number of consecutive renders with another command each.
  package static func renderLoop(limit: Int) -> NavigationError {
    NavigationError(
      "The host performed another command in each of \(limit) consecutive renders; make it render without commands."
    )
  }

  /// An aspect shows a screen while it is asked about one, or performs a command while it receives an event.
  package static func navigatingAspect(_ name: String) -> NavigationError {
    NavigationError(
      "Aspect \(name) navigates while a screen is being opened or an event is delivered; start a task that does so afterwards."
    )
  }

  /// A route is its own parent, directly or through these routes.
  package static func parentCycle(_ names: [String]) -> NavigationError {
    NavigationError(
      "The parents of routes form a cycle: \(names.joined(separator: " → ")); remove one of these parents.")
  }

  /// A screen has more screens below it than the limit; the first of these routes is its own.
  package static func tooManyParents(_ names: [String], limit: Int) -> NavigationError {
    NavigationError(
      "More than \(limit) screens would be below \(names.first ?? "a screen"): "
        + "\(names.joined(separator: " → ")); let a route have fewer parents.")
  }

  /// A parent of a route is not declared as a screen.
  package static func parentWithoutScreen(_ parent: String, of route: String) -> NavigationError {
    NavigationError(
      "\(parent), a parent of \(route), is not a screen; declare it with screen(_:), or remove it from the parents."
    )
  }
}
