import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file of a cookie store: read once, and replaced as a whole when a persistent cookie has changed.
final class CookieFile: Sendable {
  /// The maximum length of a file that is read, in bytes.
  static let maximumSize = 16 << 20

  let path: String
  /// The version of the cookies that was written last; the lock is held while writing.
  private let written = Mutex<UInt64>(0)

  init(path: String) { self.path = path }

  /// Returns the cookies in the file; none if it doesn't exist.
  func read() throws(CookieFileError) -> CookieFileText.Cookies {
    guard let bytes = try bytes() else { return [] }
    do throws(CookieFileText.Fault) {
      return try CookieFileText.decode(bytes)
    } catch {
      throw .damaged(path: path, line: error.line)
    }
  }

  /// Writes the cookies, unless a concurrent call has already written that version or a later one.
  ///
  /// - Parameter current: Returns the cookies and their version, which increases with each change.
  func write(
    _ version: UInt64, _ current: () -> (version: UInt64, cookies: CookieFileText.Cookies)
  ) throws(CookieFileError) {
    let result: Result<Void, CookieFileError> = written.withLock { written in
      guard written < version else { return .success(()) }
      let (latest, cookies) = current()
      do throws(CookieFileError) {
        try replace(with: CookieFileText.encode(cookies))
        written = latest
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private func bytes() throws(CookieFileError) -> [UInt8]? {
    // A FIFO would block; a symbolic link may lead to a file of another owner.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .unreadable(path: path, reason: Self.text(errno))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, reason: Self.text(errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path: path, reason: "it is not a regular file")
    }
    guard status.st_size <= Self.maximumSize else {
      throw .unreadable(path: path, reason: "it has more than \(Self.maximumSize) bytes")
    }
    let size = Int(status.st_size)
    var code: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while filled < size {
        let count = pread(descriptor, buffer.baseAddress?.advanced(by: filled), size - filled, off_t(filled))
        if count < 0, errno == EINTR { continue }
        if count < 0 { code = errno }
        guard count > 0 else { return }
        filled += count
      }
    }
    guard code == 0 else { throw .unreadable(path: path, reason: Self.text(code)) }
    return bytes
  }

  /// Writes a new file that only its owner can read, and renames it to the path.
  private func replace(with bytes: [UInt8]) throws(CookieFileError) {
    let new = path + ".new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .unwritable(path: path, reason: Self.text(errno)) }
    defer { close(descriptor) }
    var code: CInt = 0
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let count = pwrite(
          descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset, off_t(offset))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          code = count < 0 ? errno : ENOSPC
          return
        }
        offset += count
      }
    }
    // Not synchronized to disk, which takes milliseconds: the file survives the end of the process in any
    // case, and after a power failure a file that is not complete is recognized.
    if code == 0, rename(new, path) != 0 { code = errno }
    guard code == 0 else {
      unlink(new)
      throw .unwritable(path: path, reason: Self.text(code))
    }
  }

  private static func text(_ code: CInt) -> String { String(cString: strerror(code)) }
}
