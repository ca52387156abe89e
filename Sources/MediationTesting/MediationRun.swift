public import Mediation
public import Navigation

/// A mediator in a test, with everything that records what it does.
public struct MediationRun: Sendable {
  /// The mediator of the modules and stubs.
  public let mediator: Mediator
  /// The navigator that shows the modules' screens.
  public let navigator: Navigator
  /// What was rendered; nothing if the kit's environment had a navigator of its own.
  public let host: RecordingHost
  /// What the mediator told its observers.
  public let events: RouteEventRecorder
  /// The ids of the guards of the whole app.
  let appGuards: Set<String>
}
