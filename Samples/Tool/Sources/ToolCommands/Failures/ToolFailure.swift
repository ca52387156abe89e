public import Interception

/// A failure of a command: a sentence that names the culprit and the remedy, and the exit status.
public struct ToolFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The exit status.
  public let status: ExitStatus
  /// The sentence; empty if nothing is to be printed.
  public let description: String

  /// Creates a failure.
  public init(_ status: ExitStatus, _ sentence: String) {
    self.status = status
    description = sentence
  }

  /// Creates the failure for an error of the chain; see ``FailureReport``.
  public init(_ error: NetworkError) { self = FailureReport(error).failure }

  /// The reader of the output has closed it, as `head` does; nothing is printed.
  public static let closedOutput = ToolFailure(.unwritable, "")
}
