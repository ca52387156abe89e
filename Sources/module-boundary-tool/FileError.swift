#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that can't be read or written, by its path, and why.
struct FileError: Error, CustomStringConvertible {
  var path: String
  var reason: String

  var description: String { "\(path): error: \(reason)" }

  /// Describes the failure that the last system call left in `errno`.
  static func current(_ action: String, _ path: String) -> FileError {
    FileError(path: path, reason: "can't \(action) it: \(String(cString: strerror(errno)))")
  }
}
