#if SQLite
package import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The folder of files that belong to the process's user.
package struct QueueFolder: Sendable, Hashable {
  /// The path.
  package let path: String

  /// Creates a folder, which need not exist.
  package init(_ path: String) { self.path = path }

  /// Creates the folder and those above it, which only their owner can read, unless they exist.
  package func create() {
    var parent = ""
    for part in path.split(separator: "/") {
      parent += (parent.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
      mkdir(parent, 0o700)
    }
  }

  /// Why the folder must not be used; nil if it is the user's own, or there is none.
  ///
  /// The path may be a link of the user's own: what it leads to is judged.
  package var finding: FileFinding? { FileStatus(at: path + "/.")?.finding(for: .containing) }
}
#endif
