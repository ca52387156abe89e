#if SQLite
public import Interception

/// Why an activity log or a queue of mutations can't be opened or used, or doesn't accept a value.
public struct QueueError: Error, LoggableError, Sendable, CustomStringConvertible {
  /// What failed; cases are added in major versions only.
  public enum Kind: Sendable, Hashable {
    /// The file can't be used; another queue may have it open, or the disk may be full.
    case file(QueueFileFault)
    /// The value can't be stored. An account has a null byte; or a request has credentials, no complete URL,
    /// a key that can't be sent, or a body that can't be read; or a request belongs to no account, although
    /// its pipeline has the credentials of one.
    case invalid
    /// The event or the body is longer than the queue's limit.
    case tooLarge
    /// The queue has its maximum of mutations, or too many events wait to be written.
    case queueFull
    /// A waiting mutation has the same idempotency key and another request, resource or account.
    case keyInUse
  }

  /// What failed.
  public let kind: Kind
  /// The file, event or resource, the failure and the remedy; no content of an event or a request.
  public let description: String

  /// Creates an error with its text.
  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// Creates the error of a queue's file.
  package init(_ error: QueueFileError) { self.init(.file(error.kind), error.description) }
}
#endif
