import Foundation

/// A random token that stays the same, such as the one in the inspector's address, by which an open page
/// finds the app after a restart.
package enum KeptToken {
  /// Returns 128 random bits in hexadecimal.
  package static func random() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Returns the token in a file of a folder, which is created if the folder has none, for its owner alone.
  ///
  /// - Throws: The file system's error.
  package static func kept(as name: String, in folder: String) throws -> String {
    let file = URL(filePath: folder, directoryHint: .isDirectory).appending(path: name)
    if let data = try? Data(contentsOf: file), data.count == 32 {
      return String(decoding: data, as: UTF8.self)
    }
    let token = random()
    let isCreated = FileManager.default.createFile(
      atPath: file.path, contents: Data(token.utf8), attributes: [.posixPermissions: 0o600])
    guard isCreated else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path]) }
    return token
  }
}
