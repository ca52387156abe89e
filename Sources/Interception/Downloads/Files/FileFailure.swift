#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Errors of the file system in the words of a download.
enum FileFailure {
  /// The error for a code of `errno`.
  static func of(_ code: CInt, _ verb: String, _ path: String) -> NetworkError {
    let what = "Cannot \(verb) \(path): \(String(cString: strerror(code)))"
    return switch code {
    case ENOSPC, EDQUOT, EFBIG:
      .download(.noSpace, "\(what); make room, and download again to go on with what is there.")
    case EACCES, EPERM, EROFS:
      .download(.noPermission, "\(what); choose a folder that may be written.")
    default: .download(.fileSystem(code: code), "\(what); choose another target, or look at its folder.")
    }
  }
}
