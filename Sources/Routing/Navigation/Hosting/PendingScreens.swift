import Mediation

/// A screen that is made and not shown yet.
struct PreparedScreen {
  /// The screen as aspects left it.
  let screen: any Screen
  let visit: ScreenVisit
  /// The aspects that apply to the screen.
  var aspects: [any ScreenAspect] = []
  /// What the screen stands for: the identities of the URL that opened it and of its own address; empty if
  /// it was shown without a route.
  var identities: Set<RouteIdentity> = []
  var style = Presentation.push
  /// The screen, if it must not be shown twice; aspects may have decorated or replaced it.
  var instance: (any Screen & AnyObject)?

  var entry: NavigationEntry { visit.entry }
}

/// Holds the screen that a URL shows back from the navigator: of a saved navigation until all of them are
/// made, and of a parent until the screen above it is made.
///
/// The navigator recognizes the screens to hold back by the task that restores, and by the call that opens a
/// parent.
@MainActor
final class PendingScreens {
  private let owner: ObjectIdentifier
  /// The screen of the URL being opened; the last one if its code shows several.
  private(set) var held: PreparedScreen?
  private var isOpen = true
  /// The names of the aspects that were overdue in the same restoration or below the same screen.
  var overdueAspects: Set<String>

  init(for navigator: Navigator, overdueAspects: Set<String>) {
    owner = ObjectIdentifier(navigator)
    self.overdueAspects = overdueAspects
  }

  /// Returns what holds back the screens of a call, or else of the current task, if it belongs to a
  /// navigator.
  static func of(_ navigator: Navigator, _ context: RouteContext? = nil) -> PendingScreens? {
    let candidates = [context?.preparation as? PendingScreens, RestorationContext.pending]
    return candidates.compactMap(\.self).first { $0.isOpen && $0.owner == ObjectIdentifier(navigator) }
  }

  /// Holds a screen, replacing the previous one, whose entry is returned.
  func hold(_ screen: PreparedScreen) -> EntryID? {
    defer { held = screen }
    return held?.entry.id
  }

  /// Returns the held screen and removes it.
  func take() -> PreparedScreen? {
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
