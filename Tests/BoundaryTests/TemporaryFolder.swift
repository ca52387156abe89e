import Foundation

/// A new folder that is gone when its owner is.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    // Resolved, because SwiftPM prints resolved paths and tests compare them.
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "switchyard-boundary-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file below the folder, unless it holds that text already: a build must not see a change that is none.
  func write(_ text: String, to path: String) throws {
    let file = url.appending(path: path)
    if let old = try? String(contentsOf: file, encoding: .utf8), old == text { return }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
}
