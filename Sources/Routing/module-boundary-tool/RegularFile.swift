#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Reads and writes whole files with system calls, so that the tool starts without Foundation.
enum RegularFile {
  /// The maximum size of a file to read: much larger than the compiler accepts, and small enough for memory.
  static let maximumSize = 64 << 20

  /// Returns the contents of a regular file; any other file is refused, because reading a pipe could block
  /// the build.
  static func bytes(at path: String) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .current("open", path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .current("examine", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(path: path, reason: "it is not a regular file")
    }
    guard status.st_size <= maximumSize else {
      throw FileError(path: path, reason: "it is larger than \(maximumSize >> 20) MiB; split it")
    }
    return try read(descriptor, path: path, size: Int(status.st_size))
  }

  private static func read(_ descriptor: Int32, path: String, size: Int) throws(FileError) -> [UInt8] {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let taken = pread(descriptor, buffer.baseAddress.map { $0 + count }, size - count, off_t(count))
        if taken < 0, errno == EINTR { continue }
        failed = taken < 0
        // The file may have been truncated since its size was read.
        guard taken > 0 else { return }
        count += taken
      }
    }
    guard !failed else { throw .current("read", path) }
    return bytes
  }

  /// Writes a file atomically, and leaves it unchanged if it already has the contents.
  ///
  /// An unchanged file does not trigger a rebuild: llbuild compares inode, size and time.
  static func write(_ text: String, to path: String) throws(FileError) {
    let wanted = Array(text.utf8)
    if let present = try? bytes(at: path), present == wanted { return }
    let draft = "\(path).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .current("create", draft) }
    let complete = writeAll(wanted, to: descriptor)
    guard close(descriptor) == 0, complete else { throw .current("write", draft) }
    guard rename(draft, path) == 0 else { throw .current("replace", path) }
  }

  /// Writes all bytes to an open file; returns false and sets `errno` on failure.
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        #if canImport(Darwin)
        let written = Darwin.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        #elseif canImport(Musl)
        let written = Musl.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        #else
        let written = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        #endif
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return false }
        done += written
      }
      return true
    }
  }
}

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
