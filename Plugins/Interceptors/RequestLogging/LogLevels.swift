import HTTPTypes
import Interception
public import Logging

/// The log level for each kind of line.
///
/// A library can't decide what matters to an app, so every default is `debug` or below.
public struct LogLevels: Sendable, Hashable {
  /// A request that is about to be sent, and how a cache handled it; `trace`.
  public var start: Logger.Level
  /// A request that ended with a response of any status, from the network or a cache, or was cancelled by the
  /// caller; `debug`.
  public var end: Logger.Level
  /// A request that failed; `debug`.
  public var failure: Logger.Level

  /// Creates log levels.
  public init(start: Logger.Level = .trace, end: Logger.Level = .debug, failure: Logger.Level = .debug) {
    self.start = start
    self.end = end
    self.failure = failure
  }

  /// The highest of the levels.
  var highest: Logger.Level { max(start, end, failure) }

  /// The level for an error; a cancellation by the caller is no failure.
  func level(of error: NetworkError) -> Logger.Level { error.isCancellation ? end : failure }
}
