import Foundation

extension URL {
  /// Writes a file in this folder unless it already has that text, because a build recompiles newer files.
  func write(_ text: String, to path: String) throws { try write(Data(text.utf8), to: path) }

  /// Writes a file in this folder unless it already has those bytes.
  func write(_ data: Data, to path: String) throws {
    let file = appending(path: path)
    if let old = try? Data(contentsOf: file), old == data { return }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file, options: .atomic)
  }
}
