#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What tells whether a file is the same one, unchanged: its inode, length and modification time.
package struct FileStamp: Sendable, Hashable {
  /// The number of the file in its file system.
  package let inode: UInt64
  /// The length in bytes.
  package let size: Int64
  /// The modification time, in seconds since 1970.
  package let seconds: Int64
  /// The fraction of a second of the modification time.
  package let nanoseconds: Int64

  private init(_ status: stat) {
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
    let time = status.st_mtimespec
    #else
    let time = status.st_mtim
    #endif
    seconds = Int64(time.tv_sec)
    nanoseconds = Int64(time.tv_nsec)
  }

  /// Creates the stamp of an open file; nil if its status can't be read.
  package init?(ofDescriptor descriptor: CInt) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Parses a description.
  package init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 5, words[0] == "file", let inode = UInt64(words[1]), let size = Int64(words[2]),
      let seconds = Int64(words[3]), let nanoseconds = Int64(words[4]), size >= 0
    else { return nil }
    (self.inode, self.size, self.seconds, self.nanoseconds) = (inode, size, seconds, nanoseconds)
  }

  /// Returns the stamp of a regular file; nil if there is none.
  ///
  /// - Parameter followsLinks: Whether the path may be that of a symbolic link to the file.
  package static func ofFile(at path: String, followingLinks followsLinks: Bool = false) -> FileStamp? {
    guard path.isWholeInC else { return nil }
    var status = stat()
    let code = followsLinks ? stat(path, &status) : lstat(path, &status)
    guard code == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return FileStamp(status)
  }
}

extension FileStamp: CustomStringConvertible {
  /// A line with the four numbers.
  package var description: String { "file \(inode) \(size) \(seconds) \(nanoseconds)" }
}
