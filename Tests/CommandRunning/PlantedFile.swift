import Foundation

/// What another user may put where a file is expected, in a folder that both can write.
public enum PlantedFile: String, CaseIterable, Sendable {
  case symbolicLink = "it is a symbolic link"
  case danglingLink = "a symbolic link"
  case hardLink = "it has 2 names, by hard links"
  case fifo = "it is not a regular file"
  case otherOwner = "it belongs to another user, with the ID 65534"

  /// What can be made here: only the superuser can give a file to another user.
  ///
  /// For other users, ``otherOwner`` is silently missing from the tests that use this list. The decision on
  /// such a file is a table of `FileStatusTests`, which any user can run.
  public static var allCases: [PlantedFile] {
    let usual: [PlantedFile] = [.symbolicLink, .danglingLink, .hardLink, .fifo]
    return geteuid() == 0 ? usual + [.otherOwner] : usual
  }

  /// Whether a file that exists is moved to `precious` when it is replaced.
  private static func moveAway(_ path: String, to precious: String) throws {
    let files = FileManager.default
    if files.fileExists(atPath: path) {
      try files.moveItem(atPath: path, toPath: precious)
    } else {
      try Data("precious".utf8).write(to: URL(filePath: precious))
    }
  }

  /// Puts this at a path; the file that was there, or a new one, is at `precious` afterwards.
  public func make(at path: String, precious: String) throws {
    let files = FileManager.default
    try Self.moveAway(path, to: precious)
    switch self {
    case .symbolicLink: try files.createSymbolicLink(atPath: path, withDestinationPath: precious)
    case .danglingLink: try files.createSymbolicLink(atPath: path, withDestinationPath: precious + ".none")
    case .hardLink: try files.linkItem(atPath: precious, toPath: path)
    case .fifo: guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.EPERM) }
    case .otherOwner:
      try files.copyItem(atPath: precious, toPath: path)
      guard chown(path, 65_534, 65_534) == 0, chmod(path, 0o666) == 0 else { throw POSIXError(.EPERM) }
    }
  }
}
