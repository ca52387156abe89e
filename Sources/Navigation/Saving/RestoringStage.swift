/// What a task that restores carries.
enum RestoringTask {
  /// The stage of the task that runs.
  @TaskLocal static var stage: RestoringStage?
}

/// Where screens wait while a saved navigation is brought back; nobody sees them before all are there.
///
/// The task that restores carries it, so that the navigator knows which screens are meant.
@MainActor
final class RestoringStage {
  /// A screen that waits.
  struct Held {
    let screen: any Screen
    let entry: NavigationEntry
  }

  private let owner: ObjectIdentifier
  /// The screen of the URL that is asked for; the last if its code shows several.
  private(set) var held: Held?
  private var isOpen = true

  init(for navigator: Navigator) { owner = ObjectIdentifier(navigator) }

  /// The stage of the task that runs, if it takes the navigator's screens.
  static func of(_ navigator: Navigator) -> RestoringStage? {
    guard let stage = RestoringTask.stage, stage.isOpen, stage.owner == ObjectIdentifier(navigator) else {
      return nil
    }
    return stage
  }

  /// Holds a screen in place of the one before, which is returned.
  func hold(_ screen: any Screen, _ entry: NavigationEntry) -> EntryID? {
    defer { held = Held(screen: screen, entry: entry) }
    return held?.entry.id
  }

  /// Gives the screen away.
  func take() -> Held? {
    defer { held = nil }
    return held
  }

  /// Ends the stage; tasks that the screens began may still carry it.
  func close() { isOpen = false }
}

/// A screen with a result was asked for while a saved navigation is brought back.
struct RestoringAsksNobody: Error, CustomStringConvertible {
  var description: String { "A saved navigation is being restored, and that asks the user nothing." }
}
