import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes all given bytes, however few the system accepts per call.
enum FileWriting {
  static func write(
    _ bytes: [UInt8], to descriptor: CInt, at offset: Int64, path: String
  ) throws(NetworkError) {
    let code: CInt = bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = pwrite(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written,
          off_t(offset + Int64(written)))
        if count < 0 {
          let code = errno
          if code == EINTR { continue }
          return code
        }
        // When full, some file systems return 0 instead of an error.
        if count == 0 { return ENOSPC }
        written += count
      }
      return 0
    }
    guard code == 0 else { throw FileFailure.of(code, "write", path) }
  }
}
