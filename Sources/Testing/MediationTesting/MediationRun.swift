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

/// A navigation host that records updates and shows nothing.
///
/// It does not retain screens, so that a test can check whether a screen is released.
@MainActor
public final class RecordingHost: NavigationHost {
  /// One recorded update.
  public struct Rendering: Sendable {
    /// The changes.
    public let changes: [NavigationChange]
    /// The state after the changes.
    public let state: NavigationState
    /// The title of the top screen, if there is one.
    public let title: String?
  }

  /// All recorded updates, latest last.
  public private(set) var renderings: [Rendering] = []

  /// Creates a host without updates.
  public init() {}

  /// The titles of the top screens, one for each update that had one.
  public var titles: [String] { renderings.compactMap(\.title) }

  /// The state after the latest update.
  public var state: NavigationState? { renderings.last?.state }

  /// Records an update.
  public func render(_ update: NavigationUpdate) {
    renderings.append(
      Rendering(changes: update.changes, state: update.state, title: update.topScreen?.title))
  }
}
