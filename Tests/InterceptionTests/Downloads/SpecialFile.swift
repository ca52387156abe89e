import Foundation
import Testing

/// What can have a file's name and is no regular file; the raw value is what an error calls it.
enum SpecialFile: String, CaseIterable, Sendable {
  case fifo = "FIFO"
  case link = "symbolic link"
  case danglingLink = "link"
  case folder = "folder"
  case socket = "socket"
  case device = "device"

  /// Device nodes are made by the superuser alone.
  static var allCases: [SpecialFile] {
    let usual: [SpecialFile] = [.fifo, .link, .danglingLink, .folder, .socket]
    return geteuid() == 0 ? usual + [.device] : usual
  }

  /// Makes one; a link leads to `precious`, or nowhere.
  func make(at path: String, precious: String) throws {
    switch self {
    case .fifo: try #require(mkfifo(path, 0o600) == 0)
    case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: precious)
    case .danglingLink:
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".none")
    case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .socket: try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    // The numbers of /dev/null, 1 and 3.
    case .device: try #require(mknod(path, S_IFCHR | 0o600, 1 << 8 | 3) == 0)
    }
  }
}

/// What tells whether a name still stands for the same file; links are not followed.
struct FileIdentity: Equatable {
  let mode: mode_t
  let number: UInt64

  init(_ path: String) throws {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    (mode, number) = (status.st_mode, UInt64(status.st_ino))
  }
}
