/// How far a screen has come that has not told its result yet.
enum ScreenEnding {
  /// It is being made or shown; `isAwaited` if its caller will wait for the result.
  case open(isAwaited: Bool)
  /// It ended before anybody waited.
  case ended(Result<any Sendable, any Error>)
  /// Its caller waits.
  case awaited(CheckedContinuation<Result<any Sendable, any Error>, Never>)
}
