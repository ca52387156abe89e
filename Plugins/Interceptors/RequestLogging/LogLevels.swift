import HTTPTypes
import Interception
public import Logging

/// The log level for each kind of line.
///
/// A library can't decide what matters to an app, so every default is `debug` or below.
public struct LogLevels: Sendable, Hashable {
  /// A request that is about to be sent, and how a cache handled it; `trace`.
  package var start: Logger.Level
  /// A request that ended with a response of any status, from the network or a cache, or was cancelled by the
  /// caller; `debug`.
  package var end: Logger.Level
  /// A request that failed; `debug`.
  package var failure: Logger.Level

  /// Creates log levels.
  ///
  /// - Parameters:
  ///   - start: The level for a request that is about to be sent, and for what a cache did with it; `trace`.
  ///   - end: The level for a request that ended with a response of any status, from the network or a cache,
  ///     or was cancelled by the caller; `debug`.
  ///   - failure: The level for a request that failed; `debug`.
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
