extension LifecycleEvent {
  /// The outcome of delivering a life-cycle event.
  public struct Report: Sendable {
    /// The outcome of one listener.
    public struct Entry: Sendable {
      /// The name of the module.
      public let module: String
      /// Where the listener was declared.
      public let place: RouteTable.Place
      /// The listener's running time, without the time that calls through its context spend in routes and in
      /// creating providers.
      public let ownTime: Duration
      /// The error that the listener threw, or nil.
      public let failure: (any Error)?
    }

    /// The event.
    public let event: LifecycleEvent
    /// One entry per listener, in the order in which they ran.
    public let entries: [Entry]

    /// The listeners that failed.
    public var failures: [Entry] { entries.filter { $0.failure != nil } }
  }
}
