/// How the modules dealt with a life-cycle event.
public struct LifecycleReport: Sendable {
  /// How one listener dealt with it.
  public struct Entry: Sendable {
    /// The module.
    public let module: String
    /// Where the listener is declared: file and line.
    public let place: RoutePlace
    /// How long it took, without the time spent in other modules' routes, targets and services.
    public let ownTime: Duration
    /// What it threw, or nil.
    public let failure: (any Error)?
  }

  /// The event.
  public let event: LifecycleEvent
  /// All listeners, in the order in which they were told.
  public let entries: [Entry]

  /// The listeners that failed.
  public var failures: [Entry] { entries.filter { $0.failure != nil } }
}
