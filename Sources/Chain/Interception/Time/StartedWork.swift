/// Decides which start of a service is in force, if it is started and stopped from several threads at once.
///
/// A service whose start takes several steps, such as reading a file, calls ``begin()`` before them and
/// ``install(_:of:)`` after them, each under the same lock. If the service was stopped in between, or stopped
/// and started again, the start is no longer in force, and what it has made must be ended.
package struct StartedWork<Work: Sendable>: Sendable {
  private var number: UInt64 = 0
  private var isStarted = false
  private var work: Work?

  /// Creates the state of a service that is stopped.
  package init() {}

  /// Begins a start; returns its number, or nil if the service runs already or another start is under way.
  package mutating func begin() -> UInt64? {
    guard !isStarted else { return nil }
    (number, isStarted) = (number + 1, true)
    return number
  }

  /// Whether a start is in force.
  package func isCurrent(_ number: UInt64) -> Bool { isStarted && number == self.number }

  /// Stores the work of a start; false if the start is no longer in force, and the work must be ended.
  package mutating func install(_ work: Work, of number: UInt64) -> Bool {
    guard isCurrent(number) else { return false }
    self.work = work
    return true
  }

  /// Ends a start that has failed; a later one remains in force.
  package mutating func fail(_ number: UInt64) { if isCurrent(number) { isStarted = false } }

  /// Ends the start in force; returns its number, and its work if it is stored.
  package mutating func end() -> (number: UInt64, work: Work?)? {
    guard isStarted else { return nil }
    defer { (isStarted, work) = (false, nil) }
    return (number, work)
  }
}
