#if SQLite
package import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Checks that a database is the process's own, before SQLite writes to it and after it was opened.
///
/// SQLite follows symbolic links, creates the file that a dangling one names, and writes in place what has
/// several names. In a folder that others can write, they would choose the file.
package struct DatabaseOwnership: Sendable {
  /// What SQLite creates beside a database.
  static let companions = ["-wal", "-shm", "-journal"]

  /// A file that must not be used, and why.
  package struct Refusal: Error, Sendable, Hashable {
    /// The path of the database or of a file beside it.
    package let path: String
    /// What was found.
    package let finding: FileFinding
  }

  private let path: String
  /// The database before it was opened; nil if it could not be created, which SQLite reports.
  private let identity: FileIdentity?

  /// Creates an empty database that only its owner can read, unless there is one, and checks it with what is
  /// beside it; SQLite's own files get the same permissions.
  package init(of path: String) throws(Refusal) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 { close(descriptor) }
    self.path = path
    identity = try Self.check(path)
  }

  /// Returns the identity of the database that was opened; nil if there is none.
  ///
  /// - Throws: If another user may have put another file in its place since it was checked.
  package func ofOpened() throws(Refusal) -> FileIdentity? {
    let present = try Self.check(path)
    guard identity == nil || present == identity else {
      throw Refusal(path: path, finding: .replaced)
    }
    return present
  }

  private static func check(_ path: String) throws(Refusal) -> FileIdentity? {
    for name in [path] + companions.map({ path + $0 }) {
      if let finding = FileStatus(at: name)?.finding(for: .writing) {
        throw Refusal(path: name, finding: finding)
      }
    }
    return FileIdentity(path: path)
  }
}
#endif
