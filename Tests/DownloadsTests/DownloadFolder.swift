import Downloads
import Foundation
import Interception

/// A temporary folder for one test's downloads, removed when it is released.
final class DownloadFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "downloads-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    chmod(url.path, 0o700)
    try? FileManager.default.removeItem(at: url)
  }

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
