#if SQLite
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A lock on a file beside a queue's file, held until it is unlocked or released.
///
/// The system releases the lock of a process that was killed.
final class FileLock: Sendable {
  /// The locked file; nil once it is unlocked.
  private let descriptor: Mutex<CInt?>

  /// Locks the file at a path, and creates it if it doesn't exist.
  init(_ path: String, for queue: String) throws(QueueFileError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      throw QueueFileError(Self.kind(of: code), path: queue, code: "errno \(code)")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      throw QueueFileError(
        code == EWOULDBLOCK ? .occupied : .unusable, path: queue, code: "errno \(code)")
    }
    self.descriptor = Mutex(descriptor)
  }

  deinit { unlock() }

  /// Ends the lock.
  func unlock() {
    let taken = descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
    guard let taken else { return }
    // Closing alone would leave the lock with a child process that was forked but has not yet called exec.
    _ = flock(taken, LOCK_UN)
    close(taken)
  }

  static func kind(of code: CInt) -> QueueFileError.Kind {
    switch code {
    case EACCES, EPERM, EROFS: .notWritable
    case ENOSPC, EDQUOT: .full
    default: .unusable
    }
  }
}
#endif
