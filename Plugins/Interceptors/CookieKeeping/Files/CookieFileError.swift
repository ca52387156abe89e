public import Interception

/// A fault of a cookie store's file; the store continues with the cookies in memory.
public enum CookieFileError: Error, LoggableError, Sendable, Hashable {
  /// The file exists and can't be read; the store starts empty.
  case unreadable(path: String, reason: String)
  /// The file is not a cookie file of a known version, or was damaged or cut off; the store starts empty, and
  /// replaces the file when a persistent cookie changes.
  case damaged(path: String, line: Int)
  /// The file can't be written; changes since the last success are in memory only.
  case unwritable(path: String, reason: String)
}

extension CookieFileError: CustomStringConvertible {
  /// The path, the fault and the remedy.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "The cookie file \(path) can't be read: \(reason). Check its owner and its permissions."
    case .damaged(let path, let line):
      "The cookie file \(path) is damaged at line \(line), so no cookie was read; it will be replaced."
    case .unwritable(let path, let reason):
      "The cookie file \(path) can't be written: \(reason). Check its folder."
    }
  }
}
