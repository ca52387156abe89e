import Mediation

/// The means by which a screen returns its result and closes.
///
/// Only the first use has an effect; later uses, and uses after the user has left the screen, do nothing and
/// return `false`. The handle retains neither the screen nor the navigator.
@MainActor
public struct ScreenHandle<Output: Sendable>: Sendable {
  /// The identity of the screen.
  package let id: EntryID
  private weak let navigator: Navigator?

  init(id: EntryID, navigator: Navigator) {
    self.id = id
    self.navigator = navigator
  }

  /// Whether a result would still be accepted: the screen is shown or about to be shown.
  package var isOpen: Bool { navigator?.isOpen(id) ?? false }

  /// Returns a result to the caller and closes the screen; false if the screen had already ended.
  @discardableResult
  public func finish(_ value: Output) -> Bool { navigator?.end(id, .success(value)) ?? false }

  /// Fails the caller's call and closes the screen; false if the screen had already ended.
  @discardableResult
  public func fail(_ error: any Error) -> Bool { navigator?.end(id, .failure(error)) ?? false }
}

extension ScreenHandle where Output == Void {
  /// Closes the screen; false if it had already ended.
  @discardableResult
  public func finish() -> Bool { finish(()) }
}
