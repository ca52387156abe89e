import Foundation
import Testing

/// A file that is not a regular file; the raw value is the word that the error uses.
enum SpecialFile: String, CaseIterable, Sendable {
  case fifo = "FIFO"
  case link = "symbolic link"
  case danglingLink = "link"
  case folder = "folder"
  case socket = "socket"
  case device = "device"

  /// Only the superuser can create device nodes.
  static var allCases: [SpecialFile] {
    let usual: [SpecialFile] = [.fifo, .link, .danglingLink, .folder, .socket]
    return geteuid() == 0 ? usual + [.device] : usual
  }

  /// Creates the file; a link leads to `precious`, or to no file.
  func make(at path: String, precious: String) throws {
    switch self {
    case .fifo: try #require(mkfifo(path, 0o600) == 0)
    case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: precious)
    case .danglingLink:
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".none")
    case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .socket: try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    // The device numbers of /dev/null are 1 and 3.
    case .device: try #require(mknod(path, S_IFCHR | 0o600, 1 << 8 | 3) == 0)
    }
  }
}

/// Identifies a file, without following links, to check that it was not replaced.
struct FileIdentity: Equatable {
  let mode: mode_t
  let number: UInt64

  init(_ path: String) throws {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    (mode, number) = (status.st_mode, UInt64(status.st_ino))
  }
}
