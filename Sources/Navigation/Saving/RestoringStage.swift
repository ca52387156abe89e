/// The task-local state of a restoration.
enum RestoringTask {
  /// The stage of the current task.
  @TaskLocal static var stage: RestoringStage?
}

/// Holds the screens of a saved navigation until all of them are made.
///
/// It is bound to the task that restores, by which the navigator recognizes the screens to hold back.
@MainActor
final class RestoringStage {
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

  /// Returns the stage of the current task if it belongs to a navigator.
  static func of(_ navigator: Navigator) -> RestoringStage? {
    guard let stage = RestoringTask.stage, stage.isOpen, stage.owner == ObjectIdentifier(navigator) else {
      return nil
    }
    return stage
  }

  /// Holds a screen, replacing the previous one, whose entry is returned.
  func hold(_ screen: any Screen, _ entry: NavigationEntry) -> EntryID? {
    defer { held = Held(screen: screen, entry: entry) }
    return held?.entry.id
  }

  /// Returns the held screen and removes it from the stage.
  func take() -> Held? {
    defer { held = nil }
    return held
  }

  /// Closes the stage; tasks started by the screens may still refer to it.
  func close() { isOpen = false }
}

/// The error of a screen whose result is awaited while a saved navigation is being restored.
struct RestoringAsksNobody: Error, CustomStringConvertible {
  var description: String { "A saved navigation is being restored, and that does not ask the user anything." }
}
