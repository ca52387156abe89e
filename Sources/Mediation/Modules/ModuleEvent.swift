/// What happens to modules as a whole, for observers.
public enum ModuleEvent: Sendable {
  /// A module has dealt with a life-cycle event, or failed to.
  case delivered(LifecycleEvent, LifecycleReport.Entry)
  /// A target, a service or a route's body was made; `ownTime` leaves out the waiting for others.
  case loaded(String, module: String, ownTime: Duration)
  /// Making a target, a service or a route's body failed.
  case loadFailed(String, module: String, any Error, ownTime: Duration)
  /// A target was let go.
  case released(String)
}
