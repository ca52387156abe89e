import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Translates errors of the file system into those of a download.
enum FileFailure {
  /// Returns the error for an `errno` code.
  static func of(_ code: CInt, _ verb: String, _ path: String) -> NetworkError {
    let what = "Cannot \(verb) \(path): \(String(cString: strerror(code)))"
    return switch code {
    case ENOSPC, EDQUOT, EFBIG:
      .download(.noSpace, "\(what); free disk space, and run the download again to resume it.")
    case EACCES, EPERM, EROFS:
      .download(.noPermission, "\(what); choose a writable folder.")
    default: .download(.fileSystem(code: code), "\(what); choose another target, or check its folder.")
    }
  }
}
