/// Stores the choice of environments across launches of an app.
package protocol EnvironmentStore: Sendable {
  /// Returns the stored choice, or nil if there is none.
  func read() throws -> EnvironmentChoice?
  /// Replaces the stored choice.
  func write(_ choice: EnvironmentChoice) throws
}
