public import Mediation

/// What came back of a saved navigation, and what did not.
///
/// Together the two lists have every entry of the snapshot: none is lost silently.
public struct NavigationRestoration: Sendable {
  /// The screens that are shown again, those of the tabs first.
  public internal(set) var restored: [NavigationEntry] = []
  /// The entries that are not, in the order of the snapshot but for those that had no place at the end.
  public internal(set) var faults: [Fault] = []

  /// An entry that did not come back.
  public struct Fault: Sendable, CustomStringConvertible {
    /// The entry's URL, or the name of its route.
    public let name: String
    /// Why it did not.
    public let reason: Reason

    /// The entry and the reason; of a URL neither query nor fragment.
    public var description: String { "\(name.prefix { $0 != "?" && $0 != "#" }) is not restored: \(reason)" }
  }

  /// Why an entry did not come back.
  public enum Reason: Sendable, CustomStringConvertible {
    /// No URL leads to it, or its caller waited for a result and is gone.
    case unsaved
    /// The navigation has no such tab any more.
    case unknownTab(String)
    /// The URL leads to a service, which restoring does not run.
    case notAScreen
    /// The mediator refused, a guard of it among others; a guard's detour is not taken, for restoring asks
    /// the user nothing.
    case refused(RouteError)
    /// The URL was answered without showing a screen, or the screen closed itself.
    case nothingShown
    /// It was presented, and something else was shown meanwhile that it would cover.
    case covered
    /// The state has as many entries as it may.
    case full(limit: Int)

    /// What is wrong, as a clause.
    public var description: String {
      switch self {
      case .unsaved: "no URL leads to it, or its caller waited for its result."
      case .unknownTab(let name): "there is no tab “\(name)” any more."
      case .notAScreen: "its URL leads to a service, which restoring does not run."
      case .refused(let error): "\(error)"
      case .nothingShown: "its URL shows no screen any more."
      case .covered: "it would cover what was shown meanwhile."
      case .full(let limit): "\(limit) screens are open, which is the limit."
      }
    }
  }
}
