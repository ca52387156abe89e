import Foundation

/// The directory of the certificate and the demo key, accessible to its owner only.
public struct StateDirectory: Sendable {
  let url: URL

  /// Opens a directory; creates it and its parents if they are missing.
  public init(path: String) throws(StateDirectoryError) {
    let url = URL(filePath: path, directoryHint: .isDirectory)
    var isDirectory: ObjCBool = false
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory), !isDirectory.boolValue {
      throw .unusable(path: path, reason: "It is not a directory.")
    }
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .unusable(path: path, reason: Self.reason(error))
    }
    self.url = url
  }

  func path(_ name: String) -> String {
    url.appending(path: name, directoryHint: .notDirectory).path
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }

  func read(_ name: String) throws(StateDirectoryError) -> Data {
    do {
      return try Data(contentsOf: URL(filePath: path(name)))
    } catch {
      throw .file(path: path(name), reason: Self.reason(error))
    }
  }

  /// Runs `body` with a temporary directory inside this one.
  func withScratch<Result>(
    _ body: (StateDirectory) throws(StateDirectoryError) -> Result
  ) throws(StateDirectoryError) -> Result {
    let scratch = try StateDirectory(path: path(".new-\(UUID().uuidString)"))
    defer { try? FileManager.default.removeItem(at: scratch.url) }
    return try body(scratch)
  }

  /// Moves a file from another directory here with these permissions, replacing an existing one.
  func adopt(_ name: String, from other: StateDirectory, permissions: Int) throws(StateDirectoryError) {
    do {
      try FileManager.default.setAttributes(
        [.posixPermissions: permissions], ofItemAtPath: other.path(name))
    } catch {
      throw .file(path: path(name), reason: Self.reason(error))
    }
    guard rename(other.path(name), path(name)) == 0 else {
      throw .file(path: path(name), reason: String(cString: strerror(errno)))
    }
  }

  func restrict(_ name: String) throws(StateDirectoryError) {
    do {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(name))
    } catch {
      throw .file(path: path(name), reason: Self.reason(error))
    }
  }

  func write(_ data: Data, to name: String) throws(StateDirectoryError) {
    do {
      try data.write(to: URL(filePath: path(name)))
    } catch {
      throw .file(path: path(name), reason: Self.reason(error))
    }
  }

  /// Returns a sentence about an error of Foundation, whose description is a long dump.
  static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    return (underlying ?? error).localizedDescription
  }
}
