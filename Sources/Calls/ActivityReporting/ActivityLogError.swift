#if SQLite
public import Interception

/// Why a log can't be opened or used.
public struct ActivityLogError: Error, LoggableError, Sendable, CustomStringConvertible {
  /// What failed; cases are added in major versions only.
  public enum Kind: Sendable, Hashable {
    /// The file can't be used; another log may have it open, or the disk be full.
    case file(QueueFileFault)
    /// The event is longer than ``ActivityLimits/eventBytes``.
    case eventTooLarge
    /// The account has a null byte, which can't be stored.
    case invalidAccount
    /// Too many events wait to be written.
    case overloaded
  }

  /// What failed.
  public let kind: Kind
  /// The file or event, the failure and the remedy; no attribute of an event.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  init(_ error: QueueFileError) { self.init(.file(error.kind), error.description) }
}
#endif
