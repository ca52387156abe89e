public import Mediation

extension NavigationSnapshot {
  /// The outcome of restoring a saved navigation.
  ///
  /// Together the two lists contain every entry of the snapshot, so none is lost silently.
  public struct Restoration: Sendable {
    /// The entries whose screens are shown again, those of the tabs first.
    public internal(set) var restored: [NavigationEntry] = []
    /// The entries that were not restored, in the order of the snapshot; those without a place come last.
    public internal(set) var faults: [Fault] = []

    /// An entry that was not restored.
    public struct Fault: Sendable, CustomStringConvertible {
      /// The entry's URL, or the name of its route.
      public let name: String
      /// The reason.
      public let reason: Reason

      /// The entry, without the query and fragment of its URL, and the reason.
      public var description: String {
        "\(name.prefix { $0 != "?" && $0 != "#" }) was not restored: \(reason)"
      }
    }

    /// The reason that an entry was not restored.
    public enum Reason: Sendable, CustomStringConvertible {
      /// The entry has no URL, or its caller, which no longer exists, was waiting for a result.
      case unsaved
      /// The navigation no longer has this tab.
      case unknownTab(String)
      /// The URL leads to an action, which restoring does not run.
      case notAScreen
      /// The mediator or one of its guards refused; detours of guards are not taken, because restoring does
      /// not ask the user anything.
      case refused(RouteError)
      /// Opening the URL showed no screen, or the screen closed itself.
      case nothingShown
      /// The entry was presented, and would cover a screen that was shown in the meantime.
      case covered
      /// The state contains the maximum number of entries.
      case full(limit: Int)

      /// The reason as a clause.
      public var description: String {
        switch self {
        case .unsaved: "it has no URL, or its caller was waiting for its result."
        case .unknownTab(let name): "the tab \"\(name)\" no longer exists."
        case .notAScreen: "its URL leads to an action, which restoring does not run."
        case .refused(let error): "\(error)"
        case .nothingShown: "its URL no longer shows a screen."
        case .covered: "it would cover a screen that was shown in the meantime."
        case .full(let limit): "\(limit) screens are open, which is the limit."
        }
      }
    }
  }
}
