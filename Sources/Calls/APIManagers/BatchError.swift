public import Interception

/// The error of a batch of which one load failed.
public struct BatchError: Error, LoggableError, Sendable {
  /// The position of the load that failed first, counted from 0.
  package let index: Int
  /// The load's error; a `CancellationError` if the caller's task was cancelled.
  public let underlying: any Error
}

extension BatchError: CustomStringConvertible {
  /// The position and the error of the load.
  public var description: String {
    "Load \(index) of the batch failed: \(NetworkError.loggableText(of: underlying))"
  }
}
