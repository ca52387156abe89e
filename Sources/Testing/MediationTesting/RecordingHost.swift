import Mediation
public import Navigation

/// A navigation host that records updates and shows nothing.
///
/// It does not retain screens, so that a test can check whether a screen is released.
@MainActor
public final class RecordingHost: NavigationHost {
  /// One recorded update.
  package struct Rendering: Sendable {
    /// The changes.
    package let changes: [NavigationChange]
    /// The state after the changes.
    package let state: NavigationState
    /// The title of the top screen, if there is one.
    package let title: String?
  }

  /// All recorded updates, latest last.
  package private(set) var renderings: [Rendering] = []

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
