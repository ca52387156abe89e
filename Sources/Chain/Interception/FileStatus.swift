#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The kind, the owner and the names of a file, which decide whether it is the process's own.
///
/// In a folder that others can write, another user may have put a file, or a link to one, where the library
/// keeps its own. Such a file is neither read nor written.
package struct FileStatus: Sendable, Hashable {
  /// A kind of file.
  package enum Kind: Sendable, Hashable {
    /// A regular file.
    case regular
    /// A folder.
    case folder
    /// A symbolic link, whatever it leads to.
    case symbolicLink
    /// A FIFO, a socket or a device.
    case other
  }

  /// What a file is used for.
  package enum Use: Sendable, Hashable {
    /// The file is read, and replaced as a whole by a new one.
    case reading
    /// The file is written in place; if it had a second name, another file would be written with it.
    case writing
    /// The folder has files of the library.
    case containing
  }

  /// The kind of the file.
  package let kind: Kind
  /// The ID of the user who owns the file.
  package let owner: UInt32
  /// The number of the file's names.
  package let links: UInt64
  /// What distinguishes the file from any other one.
  package let identity: FileIdentity

  /// Creates a status.
  package init(kind: Kind, owner: UInt32, links: UInt64, identity: FileIdentity) {
    self.kind = kind
    self.owner = owner
    self.links = links
    self.identity = identity
  }

  /// Reads the status of an open file; nil if it can't be read.
  package init?(ofDescriptor descriptor: CInt) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the status of the file at a path, without following a symbolic link; nil if there is none.
  package init?(at path: String) {
    var status = stat()
    guard path.isWholeInC, lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFLNK: .symbolicLink
      default: .other
      }
    owner = UInt32(status.st_uid)
    links = UInt64(status.st_nlink)
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
  }

  /// Returns why the file must not be used; nil if it is the user's own.
  ///
  /// - Parameter user: The ID of the user as whom the process acts.
  package func finding(for use: Use, by user: UInt32 = UInt32(geteuid())) -> FileFinding? {
    let wanted: Kind = use == .containing ? .folder : .regular
    if kind == .symbolicLink { return .symbolicLink }
    guard kind == wanted else { return use == .containing ? .notFolder : .notRegular }
    // The superuser, who owns folders such as /tmp, can write in every other folder as well.
    guard owner == user || use == .containing && owner == 0 else { return .otherOwner(owner) }
    return use == .writing && links != 1 ? .severalNames(links) : nil
  }
}

/// The identity of a file, which differs from that of a file that has replaced it.
package struct FileIdentity: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64

  /// Creates the identity of a file by its number on a device.
  package init(device: UInt64, number: UInt64) {
    self.device = device
    self.number = number
  }

  /// The identity of the file at a path, without following a symbolic link; nil if there is none.
  package init?(path: String) {
    guard let status = FileStatus(at: path) else { return nil }
    self = status.identity
  }
}

/// Why a file is not used: another user may have put it where it is.
package enum FileFinding: Sendable, Hashable {
  /// The path is a symbolic link.
  case symbolicLink
  /// A regular file was expected.
  case notRegular
  /// A folder was expected.
  case notFolder
  /// The file belongs to the user with this ID, and not to that of the process.
  case otherOwner(UInt32)
  /// The file has this number of names, by hard links.
  case severalNames(UInt64)
  /// Another file replaced it between two checks.
  case replaced
}

extension FileFinding: CustomStringConvertible {
  /// A phrase that follows a colon.
  package var description: String {
    switch self {
    case .symbolicLink: "it is a symbolic link"
    case .notRegular: "it is not a regular file"
    case .notFolder: "it is not a folder"
    case .otherOwner(let user): "it belongs to another user, with the ID \(user)"
    case .severalNames(0): "it was deleted"
    case .replaced: "it was replaced while it was opened"
    case .severalNames(let count): "it has \(count) names, by hard links"
    }
  }
}
