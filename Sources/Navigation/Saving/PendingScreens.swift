/// Holds the screens of a saved navigation until all of them are made.
///
/// It is bound to the task that restores, by which the navigator recognizes the screens to hold back.
@MainActor
final class PendingScreens {
  /// A screen that is held back.
  struct Held {
    let screen: any Screen
    let entry: NavigationEntry
  }

  private let owner: ObjectIdentifier
  /// The screen of the URL being opened; the last one if its code shows several.
  private(set) var held: Held?
  private var isOpen = true

  init(for navigator: Navigator) { owner = ObjectIdentifier(navigator) }

  /// Returns the pending screens of the current task if they belong to a navigator.
  static func of(_ navigator: Navigator) -> PendingScreens? {
    guard let pending = RestorationContext.pending, pending.isOpen,
      pending.owner == ObjectIdentifier(navigator)
    else {
      return nil
    }
    return pending
  }

  /// Holds a screen, replacing the previous one, whose entry is returned.
  func hold(_ screen: any Screen, _ entry: NavigationEntry) -> EntryID? {
    defer { held = Held(screen: screen, entry: entry) }
    return held?.entry.id
  }

  /// Returns the held screen and removes it.
  func take() -> Held? {
    defer { held = nil }
    return held
  }

  /// Stops holding screens back; tasks started by the screens may still refer to this object.
  func close() { isOpen = false }
}

/// The error of a screen whose result is awaited while a saved navigation is being restored.
struct ResultNotAvailableError: Error, CustomStringConvertible {
  var description: String {
    "A saved navigation is being restored, so the screen cannot return a result; open it again afterwards."
  }
}

/// The task-local context of a restoration.
enum RestorationContext {
  /// The pending screens of the restoration that the current task belongs to.
  // A task-local value, because a screen's code shows further screens by the navigator itself, which has no
  // context. The navigator cannot tell by itself: screens that other tasks show meanwhile are not held back.
  @TaskLocal static var pending: PendingScreens?
}
