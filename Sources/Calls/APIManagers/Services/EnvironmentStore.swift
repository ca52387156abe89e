/// Stores the choice of environments across launches of an app.
///
/// Use ``EnvironmentFile``, or a type of the app's own for another place, such as the user defaults.
public protocol EnvironmentStore: Sendable {
  /// Returns the stored choice, or nil if there is none.
  func read() throws -> EnvironmentChoice?
  /// Replaces the stored choice.
  func write(_ choice: EnvironmentChoice) throws
}
