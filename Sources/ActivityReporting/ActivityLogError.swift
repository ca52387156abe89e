#if SQLite
import DurableQueues
public import Interception

/// Why a log can't be opened or used.
public struct ActivityLogError: Error, LoggableError, Sendable, CustomStringConvertible {
  /// What failed; cases are added in major versions only.
  public enum Kind: Sendable, Hashable {
    /// Another log, of this process or of another one, has the file open.
    case occupied
    /// The disk is full; what was recorded before is kept.
    case full
    /// The file was found damaged while it was in use; the next start sets it aside.
    case damaged
    /// The file belongs to another program or a newer version.
    case foreign
    /// The file or its folder can't be written.
    case notWritable
    /// The file was deleted or replaced while it was open.
    case replaced
    /// The event is longer than ``ActivityLimits/eventBytes``.
    case eventTooLarge
    /// Too many events wait to be written.
    case overloaded
    /// The log was closed.
    case closed
    /// Any other failure of the file.
    case unusable
  }

  /// What failed.
  public let kind: Kind
  /// The file or event, the failure and the remedy; no attribute of an event.
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
