public import Mediation
public import Navigation

/// A mediator under test, with recorders.
public struct MediationRun: Sendable {
  /// The mediator of the modules and stubs.
  public let mediator: Mediator
  /// The navigator that shows the modules' screens.
  public let navigator: Navigator
  /// The recorded navigation updates; empty if the kit's environment had its own navigator.
  public let host: RecordingHost
  /// The recorded events.
  public let events: RouteEventRecorder
  /// The ids of the app's guards.
  let appGuards: Set<String>
}
