#if SQLite
public import DurableQueues
public import Interception

/// Why a ``LocalStore`` can't be opened or used, or doesn't accept a change.
public struct LocalStoreError: Error, LoggableError, Sendable, CustomStringConvertible {
  /// What failed; cases are added in major versions only.
  public enum Kind: Sendable, Hashable {
    /// The file can't be used; another process may have it open, or the disk may be full.
    case file(QueueFileFault)
    /// The account has no lasting name.
    case account
    /// A name, a schema or a value is not valid: a name is empty or used twice, a collection or an index
    /// isn't declared in the schema, or a value can't be encoded.
    case invalid
    /// A stored value can't be decoded as the type of its key or collection.
    case undecodable
    /// The value is longer than the store's limit for one.
    case tooLarge
    /// The store has its maximum of bytes, and nothing that may be evicted.
    case full
    /// A migration failed; the file is as it was before.
    case migration
  }

  /// What failed.
  public let kind: Kind
  /// The key, collection or file, the failure and the remedy; no content of a value and no account.
  public let description: String
  /// The error of the file.
  let fileError: QueueFileError?

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
    fileError = nil
  }

  init(_ error: QueueFileError) {
    kind = .file(error.kind)
    fileError = error
    let sentence =
      switch error.kind {
      case .occupied: "is open elsewhere, perhaps in another process; close that store"
      case .full: "can't grow, because the disk is full; free space. What was stored before is kept"
      case .damaged: "is damaged; open the store again, which keeps what can be read"
      case .foreign:
        "belongs to another account, another user or a newer version of the app; update the app, or remove it"
      case .notWritable: "can't be written; check the permissions of the file and its folder"
      case .replaced: "was deleted or replaced while it was open; open the store again"
      case .closed: "was closed or removed; get the store of the account again"
      case .unusable: "can't be used; check its folder and the disk"
      }
    let code = error.code.map { " (\($0))" } ?? ""
    description = "The file \"\(error.path)\" of the local store \(sentence)\(code)."
  }

  /// The error of an operation on a store that was closed.
  static func closed(_ path: String) -> LocalStoreError {
    LocalStoreError(QueueFileError(.closed, path: path))
  }
}
#endif
