/// An event in the life of a screen.
///
/// Each entry of the navigation is entered once and left once. In between it is covered and uncovered by
/// turns. Containers, such as tabs and stacks, are no screens and have no events.
public struct ScreenEvent: Sendable, Hashable {
  /// What happened to the screen.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// It was added to the navigation.
    ///
    /// If it was added below another screen, such as when it is restored, it is covered immediately
    /// afterwards.
    case entered
    /// Another screen, or an empty tab, is seen instead of it.
    case covered
    /// It is seen again, or for the first time if it was entered below another screen.
    case uncovered
    /// It was removed from the navigation, for good.
    case left
  }

  /// What happened.
  public let kind: Kind
  /// The screen.
  public let visit: ScreenVisit
  /// How long the screen has been on top in total until this event, while the app was in the foreground.
  public let timeOnScreen: Duration

  /// Creates an event.
  package init(_ kind: Kind, _ visit: ScreenVisit, timeOnScreen: Duration) {
    self.kind = kind
    self.visit = visit
    self.timeOnScreen = timeOnScreen
  }
}
