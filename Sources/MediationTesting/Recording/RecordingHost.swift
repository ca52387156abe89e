public import Navigation

/// A navigation host that shows nothing and remembers everything but the screens themselves.
///
/// It keeps no screen, so that a test can see whether one is let go of.
@MainActor
public final class RecordingHost: NavigationHost {
  /// What one update rendered.
  public struct Rendering: Sendable {
    /// What changed.
    public let changes: [NavigationChange]
    /// The state after all changes.
    public let state: NavigationState
    /// The title of the screen on top, if there is one.
    public let title: String?
  }

  /// All renderings, the latest last.
  public private(set) var renderings: [Rendering] = []

  /// Has rendered nothing.
  public init() {}

  /// The titles of the screens on top, one for each update that had one.
  public var titles: [String] { renderings.compactMap(\.title) }

  /// The state that was rendered last.
  public var state: NavigationState? { renderings.last?.state }

  /// Notes an update.
  public func render(_ update: NavigationUpdate) {
    renderings.append(
      Rendering(changes: update.changes, state: update.state, title: update.topScreen?.title))
  }
}
