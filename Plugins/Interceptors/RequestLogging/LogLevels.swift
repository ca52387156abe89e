import Interception
public import Logging

/// At which level each kind of line is written.
///
/// A library doesn't decide what matters to an app, so every default is `debug` or below.
public struct LogLevels: Sendable, Hashable {
  /// A request that is about to be sent, and what the cache did with it; `trace`.
  public var start: Logger.Level
  /// A request that was answered, with any status, by the network or a cache, or given up by the caller;
  /// `debug`.
  public var end: Logger.Level
  /// A request that failed; `debug`.
  public var failure: Logger.Level

  /// Makes levels.
  public init(start: Logger.Level = .trace, end: Logger.Level = .debug, failure: Logger.Level = .debug) {
    self.start = start
    self.end = end
    self.failure = failure
  }

  /// The highest level that is ever used.
  var highest: Logger.Level { max(start, end, failure) }

  /// The level of an error: what the caller gave up is no failure.
  func level(of error: NetworkError) -> Logger.Level { error.isCancellation ? end : failure }
}

extension NetworkError {
  fileprivate var isCancellation: Bool {
    if case .cancelled = kind { true } else { false }
  }

  /// The message of the line that tells of the error.
  var lineMessage: Logger.Message { isCancellation ? "request cancelled" : "request failed" }
}
