/// A screen's way to give its result and to leave.
///
/// Only the first use counts; later ones, and uses after the user has left the screen, do nothing.
@MainActor
public struct ScreenHandle<Output: Sendable>: Sendable {
  /// The identity of the screen.
  public let id: EntryID
  private let end: @MainActor @Sendable (Result<Output, any Error>) -> Bool

  init(id: EntryID, end: @escaping @MainActor @Sendable (Result<Output, any Error>) -> Bool) {
    self.id = id
    self.end = end
  }

  /// Gives the result to the caller and closes the screen; whether it counted.
  @discardableResult
  public func finish(_ value: Output) -> Bool { end(.success(value)) }

  /// Lets the caller's call fail and closes the screen; whether it counted.
  @discardableResult
  public func fail(_ error: any Error) -> Bool { end(.failure(error)) }
}

extension ScreenHandle where Output == Void {
  /// Closes the screen; whether it counted.
  @discardableResult
  public func finish() -> Bool { finish(()) }
}
