#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A lock on a file of its own, by which one holder at a time, in all processes, changes other files.
package struct FileLock: Sendable {
  private let descriptor: CInt

  /// Takes the lock; nil if it is taken.
  ///
  /// - Throws: `WholeFileFault` if the file can't be opened or is not the process's own.
  package init?(_ path: String) throws(WholeFileFault) {
    guard path.isWholeInC else { throw WholeFileFault(reason: "its path contains a null byte") }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw WholeFileFault(code: errno) }
    if let finding = FileStatus(ofDescriptor: descriptor)?.finding(for: .writing) {
      close(descriptor)
      throw WholeFileFault(reason: "\(finding)")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      guard code != EWOULDBLOCK else { return nil }
      throw WholeFileFault(code: code)
    }
    self.descriptor = descriptor
  }

  /// Releases the lock; called once.
  package func release() {
    // Closing alone would leave the lock with a child process that was forked but has not yet called exec.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
