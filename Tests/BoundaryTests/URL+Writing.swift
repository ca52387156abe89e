import Foundation

extension URL {
  /// Writes a file below this folder, unless it holds that text already: a build must not see an unchanged file as new.
  func write(_ text: String, to path: String) throws { try write(Data(text.utf8), to: path) }

  /// Writes a file below this folder, unless it holds those bytes already.
  func write(_ data: Data, to path: String) throws {
    let file = appending(path: path)
    if let old = try? Data(contentsOf: file), old == data { return }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file, options: .atomic)
  }
}
