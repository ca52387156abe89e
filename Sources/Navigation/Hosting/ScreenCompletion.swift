/// The progress of a screen that has not yet delivered its result.
enum ScreenCompletion {
  /// The screen is being made or shown; `isAwaited` if its caller will wait for the result.
  case open(isAwaited: Bool)
  /// The screen ended before its caller waited.
  case ended(Result<any Sendable, any Error>)
  /// The caller waits for the result.
  case awaited(CheckedContinuation<Result<any Sendable, any Error>, Never>)
}
