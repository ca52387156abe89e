public import Foundation

/// A new folder that is removed when the last reference to it is released.
public final class TemporaryFolder: Sendable {
  /// The folder, with symbolic links resolved: programs print resolved paths, and tests compare them.
  public let url: URL

  /// Creates a folder below the system's temporary one, whose name begins with a prefix.
  public init(prefix: String) throws {
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "switchyard-\(prefix)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
