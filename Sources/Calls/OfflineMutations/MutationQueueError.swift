#if SQLite
public import Interception

/// Why a queue can't be opened or used, or doesn't accept a request.
public struct MutationQueueError: Error, LoggableError, Sendable, CustomStringConvertible {
  /// What failed; cases are added in major versions only.
  public enum Kind: Sendable, Hashable {
    /// The file can't be used; another queue may have it open, or the disk be full.
    case file(QueueFileFault)
    /// The request can't be stored: it has credentials, no complete URL, a key that can't be sent, or a body
    /// that can't be read, or it belongs to no account although its pipeline has the credentials of one.
    case invalidRequest
    /// A mutation that waits has the same idempotency key and another request, resource or account.
    case keyInUse
    /// The body is longer than ``MutationLimits/bodyBytes``.
    case bodyTooLarge
    /// The queue has ``MutationLimits/count`` mutations, with those set aside.
    case queueFull
  }

  /// What failed.
  public let kind: Kind
  /// The file or the resource, the failure and the remedy; no content of a request.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  init(_ error: QueueFileError) { self.init(.file(error.kind), error.description) }
}
#endif
