public import Interception

/// The error of a chain: which step failed, and why.
public struct ChainError: Error, LoggableError, Sendable {
  /// The position of the step, counted from 1.
  public let step: Int
  /// The step's name.
  public let name: String
  /// The step's error; a `CancellationError` if the caller's task was cancelled before the step.
  public let underlying: any Error
}

extension ChainError: CustomStringConvertible {
  /// The step and its error.
  public var description: String {
    "Step \(step), \"\(name)\", failed: \(NetworkError.loggableText(of: underlying))"
  }
}
