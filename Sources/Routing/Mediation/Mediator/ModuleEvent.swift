/// An event of a module, for observers.
public enum ModuleEvent: Sendable {
  /// A module has handled a life-cycle event, or failed to.
  case delivered(LifecycleEvent, LifecycleEvent.Report.Entry)
  /// A provider or a route's body was created; `ownTime` excludes the time spent waiting for others.
  case loaded(String, module: String, ownTime: Duration)
  /// Creating a provider or a route's body failed.
  case loadFailed(String, module: String, any Error, ownTime: Duration)
  /// A provider or a route's body was released.
  case released(String)
}
