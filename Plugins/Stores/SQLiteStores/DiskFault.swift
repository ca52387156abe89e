#if SQLite
import DurableQueues
public import Interception

/// A fault of the directory of a ``SQLiteResponseStore``, which the store reports but never throws.
public struct DiskFault: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// What failed.
  package enum Kind: Sendable, Hashable {
    /// Another store, usually of another process, uses the directory; this one keeps nothing.
    case occupied
    /// The database was damaged; it was moved away, and a new one begun.
    case damaged
    /// The disk or the user's quota is exhausted; the response was declined.
    case full
    /// The directory or its files can't be written.
    case notWritable
    /// The directory was deleted or replaced while it was open; it was opened again, and created if it was
    /// missing.
    case deleted
    /// The store was closed.
    case closed
    /// The database or the folder with bodies belongs to another program, to another user or to a newer
    /// version of this library, or is a link; the store keeps nothing.
    case foreign
    /// Any other failure.
    case unusable
  }

  /// What failed.
  package let kind: Kind
  /// The directory, the failure and the remedy.
  public let description: String

  init(_ kind: Kind, directory: String, detail: String? = nil) {
    self.kind = kind
    let sentence =
      switch kind {
      case .occupied: "is in use by another store; close that one, or give each process its own directory"
      case .damaged: "had a damaged database, which was moved away; check the disk if this happens again"
      case .full: "can't grow, because the disk is full; free space, or lower the limit"
      case .notWritable: "can't be written; check the permissions of the directory"
      case .deleted:
        "was deleted or replaced while it was open, and is opened again; keep it for the store alone"
      case .closed: "was closed; create the store again"
      case .foreign:
        "has files of another program, another user or a newer version, or links; use a directory that only you "
          + "can write"
      case .unusable: "can't be used; check the directory and the disk"
      }
    description = "The response store \"\(directory)\" \(sentence)\(detail.map { " (\($0))" } ?? "")."
  }

  /// Creates a fault from an error of the database.
  init(_ error: QueueFileError, directory: String) {
    let kind: Kind =
      switch error.kind {
      case .occupied: .occupied
      case .full: .full
      case .damaged: .damaged
      case .foreign: .foreign
      case .notWritable: .notWritable
      case .replaced: .deleted
      case .closed: .closed
      case .unusable: .unusable
      }
    self.init(kind, directory: directory, detail: error.code)
  }
}
#endif
