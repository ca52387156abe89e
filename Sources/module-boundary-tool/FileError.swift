#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that could not be read or written, with the reason.
struct FileError: Error, CustomStringConvertible {
  var path: String
  var reason: String

  var description: String { "\(path): error: \(reason)" }

  /// Creates an error from the `errno` of the last system call.
  static func current(_ action: String, _ path: String) -> FileError {
    FileError(path: path, reason: "can't \(action) it: \(String(cString: strerror(errno)))")
  }
}
