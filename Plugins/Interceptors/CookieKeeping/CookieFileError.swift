public import Interception
import Synchronization

/// A fault of a cookie store's file; the store continues with the cookies in memory.
public enum CookieFileError: Error, LoggableError, Sendable, Hashable {
  /// The file exists and can't be read; the store starts empty. `setAside` is the path that the file was
  /// given; nil if it couldn't be renamed, or if the reason may pass, such as too many open files: the store
  /// then reads it again when it is next used, and writes nothing before.
  case unreadable(path: String, reason: String, setAside: String?)
  /// The file has lines that can't be read, the first of them being `line`, or is not a cookie file of a
  /// known version. The store starts with the cookies that could be read, whose number is `read`. `setAside`
  /// is the path of the file as it was found; nil if it couldn't be renamed.
  case damaged(path: String, line: Int, read: Int, setAside: String?)
  /// The persistent cookies had more than the 16 MiB that a file can have, so that some were removed, from
  /// the partition and the domain with the most bytes first.
  case full(path: String, removed: Int)
  /// The file can't be written; changes since the last success are in memory only.
  case unwritable(path: String, reason: String)
}

extension CookieFileError: CustomStringConvertible {
  /// The path, the fault and the remedy.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason, let copy):
      "The cookie file \(path) can't be read: \(reason); \(WholeFile.clause(setAside: copy)). "
        + "Check its owner and its permissions."
    case .damaged(let path, let line, let read, let copy):
      "The cookie file \(path) is damaged at line \(line), and \(read) of its cookies were read; "
        + "\(WholeFile.clause(setAside: copy)). Delete that file once it is no longer needed: it has cookies."
    case .full(let path, let removed):
      "The cookies for the file \(path) had more bytes than a file can have, so \(removed) were "
        + "removed, those of the domain with the most bytes first. Check which server sets them."
    case .unwritable(let path, let reason):
      "The cookie file \(path) can't be written: \(reason). Check its folder."
    }
  }
}
