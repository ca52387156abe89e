/// A screen's way to give its result and to leave.
///
/// Only the first use counts; later ones, and uses after the user has left the screen, do nothing and answer
/// `false`. It keeps neither the screen nor the navigator.
@MainActor
public struct ScreenHandle<Output: Sendable>: Sendable {
  /// The identity of the screen.
  public let id: EntryID
  private weak let navigator: Navigator?

  init(id: EntryID, navigator: Navigator) {
    self.id = id
    self.navigator = navigator
  }

  /// Whether a result would still count: the screen is shown or about to be.
  public var isOpen: Bool { navigator?.isOpen(id) ?? false }

  /// Gives the result to the caller and closes the screen; whether it counted.
  @discardableResult
  public func finish(_ value: Output) -> Bool { navigator?.end(id, .success(value)) ?? false }

  /// Lets the caller's call fail and closes the screen; whether it counted.
  @discardableResult
  public func fail(_ error: any Error) -> Bool { navigator?.end(id, .failure(error)) ?? false }
}

extension ScreenHandle where Output == Void {
  /// Closes the screen; whether it counted.
  @discardableResult
  public func finish() -> Bool { finish(()) }
}
