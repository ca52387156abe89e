import Foundation

/// A file that is deleted with its last reference.
final class TemporaryFile: Sendable {
  let path: String

  init(bytes: [UInt8]) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "signing-\(UUID().uuidString)")
    try Data(bytes).write(to: url)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
