#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Reads and writes whole files with system calls, so that tools start without Foundation.
package enum RegularFile {
  /// What a tool asks of an open file besides its contents.
  package struct Status: Sendable, Hashable {
    /// The size in bytes.
    package var size: Int
    /// The permissions of owner, group and others.
    package var permissions: Int
    /// The number of its names, which are hard links.
    package var names: Int

    init(_ status: stat) {
      size = Int(status.st_size)
      permissions = Int(status.st_mode & 0o777)
      names = Int(status.st_nlink)
    }
  }

  /// The maximum size of a file to read: much larger than the compiler accepts, and small enough for memory.
  package static let maximumSize = 64 << 20

  /// Returns the contents of a regular file; any other file is refused, because reading a pipe could block
  /// the build.
  ///
  /// - Parameter check: Refuses a file by its status, before anything is read.
  package static func bytes(
    at path: String, check: (Status) throws(FileError) -> Void = { _ throws(FileError) in }
  ) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .current("open", path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .current("examine", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(path: path, reason: "it is not a regular file")
    }
    try check(Status(status))
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
  ///
  /// - Parameter isPrivate: Whether only the owner may read the file.
  package static func write(_ text: String, to path: String, isPrivate: Bool = false) throws(FileError) {
    let wanted = Array(text.utf8)
    if let present = try? bytes(at: path), present == wanted { return }
    let draft = "\(path).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
    guard descriptor >= 0 else { throw .current("create", draft) }
    let complete = writeAll(wanted, to: descriptor)
    guard close(descriptor) == 0, complete else { throw .current("write", draft) }
    guard rename(draft, path) == 0 else { throw .current("replace", path) }
  }

  /// Writes all bytes to an open file; returns false and sets `errno` on failure.
  package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
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
package struct FileError: Error, CustomStringConvertible {
  package var path: String
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  package var description: String { "\(path): error: \(reason)" }

  /// Creates an error from the `errno` of the last system call.
  static func current(_ action: String, _ path: String) -> FileError {
    FileError(path: path, reason: "can't \(action) it: \(String(cString: strerror(errno)))")
  }
}

/// A file or folder by its device and number, which all of its paths have in common.
package struct FileIdentity: Sendable, Hashable {
  private var device: UInt64
  private var number: UInt64

  /// Returns the identity of what is at a path; nil if nothing is there, or if it can't be examined.
  package init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
  }
}

extension RegularFile {
  /// Returns the absolute path of a file without links; nil if nothing is there.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
