#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writing all of some bytes, however few the system takes at once.
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
        // Some file systems answer 0 instead of an error when they are full.
        if count == 0 { return ENOSPC }
        written += count
      }
      return 0
    }
    guard code == 0 else { throw FileFailure.of(code, "write", path) }
  }
}
