#if SQLite
import DurableQueues
public import Interception

/// Why a queue can't be opened or used, or doesn't accept a request.
public struct MutationQueueError: Error, LoggableError, Sendable, CustomStringConvertible {
  /// What failed; cases are added in major versions only.
  public enum Kind: Sendable, Hashable {
    /// The request can't be stored: it has credentials, no complete URL, a key that can't be sent, or a body
    /// that can't be read, or it belongs to no account although its pipeline has the credentials of one.
    case invalidRequest
    /// A mutation that waits has the same idempotency key and another request, resource or account.
    case keyInUse
    /// The body is longer than ``MutationLimits/bodyBytes``.
    case bodyTooLarge
    /// The queue has ``MutationLimits/count`` mutations, with those set aside.
    case queueFull
    /// Another queue, of this process or of another one, has the file open.
    case occupied
    /// The disk is full; what was enqueued before is kept.
    case full
    /// The file was found damaged while it was in use; the next start sets it aside.
    case damaged
    /// The file belongs to another program or a newer version.
    case foreign
    /// The file or its folder can't be written.
    case notWritable
    /// The file was deleted or replaced while it was open.
    case replaced
    /// The queue was closed.
    case closed
    /// Any other failure of the file.
    case unusable
  }

  /// What failed.
  public let kind: Kind
  /// The file or the resource, the failure and the remedy; no content of a request.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  init(_ error: QueueFileError) {
    description = error.description
    kind =
      switch error.kind {
      case .occupied: .occupied
      case .full: .full
      case .damaged: .damaged
      case .foreign: .foreign
      case .notWritable: .notWritable
      case .replaced: .replaced
      case .closed: .closed
      case .unusable: .unusable
      }
  }
}
#endif
