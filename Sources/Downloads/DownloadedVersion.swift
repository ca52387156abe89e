import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The version of a complete file, stored beside it so that it is requested again only if the server has
/// another one.
struct DownloadedVersion: Sendable, Hashable {
  /// The content that was downloaded, with its length.
  let record: DownloadRecord
  /// The file as it was when the download was complete.
  let stamp: FileStamp

  private static let end = "end"

  init(record: DownloadRecord, stamp: FileStamp) {
    self.record = record
    self.stamp = stamp
  }

  /// Parses a version; returns nil if it is truncated, damaged, or of another format.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count == 8, lines[6].elementsEqual(Self.end.utf8), lines[7].isEmpty,
      let record = DownloadRecord(Array(lines[0..<5].joined(separator: [0x0A]) + [0x0A])),
      let stamp = String(validating: lines[5], as: UTF8.self).flatMap(FileStamp.init),
      record.total == stamp.size
    else { return nil }
    self.init(record: record, stamp: stamp)
  }

  /// The version's bytes.
  var bytes: [UInt8] { record.bytes + Array("\(stamp)\n\(Self.end)\n".utf8) }
}

/// What tells whether a file is the one that was written, unchanged: its inode, length and modification time.
struct FileStamp: Sendable, Hashable {
  let inode: UInt64
  let size: Int64
  let seconds: Int64
  let nanoseconds: Int64

  init(_ status: stat) {
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

  /// Parses a description.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 5, words[0] == "file", let inode = UInt64(words[1]), let size = Int64(words[2]),
      let seconds = Int64(words[3]), let nanoseconds = Int64(words[4]), size >= 0
    else { return nil }
    (self.inode, self.size, self.seconds, self.nanoseconds) = (inode, size, seconds, nanoseconds)
  }

  /// Returns the stamp of a regular file; nil if there is none.
  static func ofFile(at path: String) -> FileStamp? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return FileStamp(status)
  }
}

extension FileStamp: CustomStringConvertible {
  /// A line with the four numbers.
  var description: String { "file \(inode) \(size) \(seconds) \(nanoseconds)" }
}
