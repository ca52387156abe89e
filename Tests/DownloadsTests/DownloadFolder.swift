import CommandRunning
import Foundation

/// A temporary folder for one test's downloads, removed when it is released.
final class DownloadFolder: Sendable {
  private let folder: TemporaryFolder
  var url: URL { folder.url }

  init() throws { folder = try TemporaryFolder(prefix: "downloads") }

  // A test may have removed the permission to write, without which its files can't be removed.
  deinit { chmod(url.path, 0o700) }

  var target: String { url.appending(path: "file.bin").path }

  /// The sorted names of the files in the folder.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }

  func read(_ name: String = "file.bin") throws -> [UInt8] {
    Array(try Data(contentsOf: url.appending(path: name)))
  }

  func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: url.appending(path: name)) }
}
