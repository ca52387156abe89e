/// The result of adding a call to a queue.
enum CallAdmission: Sendable, Hashable {
  /// The call was added, and the thread runs.
  case added
  /// The call was added as the first one ever: the thread must be started.
  case addedFirst
  /// The maximum number of calls waits.
  case full
}
