import Interception
import Synchronization

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
    do throws(WholeFileFault) {
      return try WholeFile(path: path).bytes(upTo: Self.maximumSize)
    } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
  }

  /// Writes a new file that only its owner can read, and renames it to the path.
  private func replace(with bytes: [UInt8]) throws(CookieFileError) {
    do throws(WholeFileFault) {
      // Not synchronized to disk: after a power failure a file that is not complete is recognized.
      try WholeFile(path: path).replace(with: bytes, isSynchronized: false)
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
  }
}
