#if SQLite
import GRDB
package import Interception

/// The error of a queue's file.
package struct QueueFileError: Error, LoggableError, Sendable, CustomStringConvertible {
  /// What failed.
  package let kind: QueueFileFault
  /// The file, the failure and the remedy.
  package let description: String

  /// The path of the file.
  package let path: String
  /// The result code of SQLite or of the system, if there is one.
  package let code: String?

  /// Creates an error for a file; `code` is a result code of SQLite or of the system.
  package init(_ kind: QueueFileFault, path: String, code: String? = nil) {
    self.kind = kind
    self.path = path
    self.code = code
    let sentence =
      switch kind {
      case .occupied: "is open in another queue; close that one, or use another file"
      case .full: "can't grow, because the disk is full; free space"
      case .damaged: "is damaged; start the queue again, which moves the file away and begins a new one"
      case .foreign: "belongs to another program or a newer version; use another file"
      case .notWritable: "can't be written; check the permissions of the file and its folder"
      case .replaced: "was deleted or replaced while it was open; start the queue again"
      case .closed: "was closed; create a new queue"
      case .unusable: "can't be used; check its folder and the disk"
      }
    description = "The queue file \"\(path)\" \(sentence)\(code.map { " (\($0))" } ?? "")."
  }

  /// Creates an error for a file that another user may have put where it is.
  package init(finding: FileFinding, path: String) {
    kind = .foreign
    self.path = path
    code = "\(path): \(finding)"
    description =
      "The queue file \"\(path)\" is not used: \(finding); remove it, or use a file in a folder that only you can "
      + "write."
  }

  /// Creates an error for a path that is none.
  package init(_ fault: NULFault) {
    kind = .unusable
    path = ""
    code = "a null byte in its path"
    description = "\(fault)"
  }

  /// Creates an error from one that was thrown while the file was used.
  package init(_ error: any Error, path: String) {
    if let known = error as? QueueFileError {
      self = known
      return
    }
    if let refusal = error as? DatabaseOwnership.Refusal {
      self.init(finding: refusal.finding, path: refusal.path)
      return
    }
    if error is RecordDamage {
      self.init(.damaged, path: path)
      return
    }
    guard let code = (error as? DatabaseError)?.resultCode else {
      self.init(.unusable, path: path)
      return
    }
    let kind: QueueFileFault =
      switch code {
      case .SQLITE_BUSY, .SQLITE_LOCKED: .occupied
      case .SQLITE_FULL: .full
      // A missing table or a value of another type is damage too: the file was checked to be a queue's.
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: .damaged
      case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: .notWritable
      case .SQLITE_MISUSE: .closed
      default: .unusable
      }
    self.init(kind, path: path, code: "SQLite \(code.rawValue)")
  }
}
#endif
