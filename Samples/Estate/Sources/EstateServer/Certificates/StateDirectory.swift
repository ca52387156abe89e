import Foundation

/// The directory of the certificate and the keys, accessible to its owner only.
package struct StateDirectory: Sendable {
  let url: URL

  /// Opens a directory; creates it and its parents if they are missing.
  package init(path: String) throws(StateDirectoryError) {
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

  func path(_ name: String) -> String { url.appending(path: name, directoryHint: .notDirectory).path }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  func read(_ name: String) throws(StateDirectoryError) -> Data {
    try onFile(name) { try Data(contentsOf: URL(filePath: path(name))) }
  }

  func write(_ data: Data, to name: String) throws(StateDirectoryError) {
    try onFile(name) { try data.write(to: URL(filePath: path(name))) }
  }

  func restrict(_ name: String, to permissions: Int = 0o600) throws(StateDirectoryError) {
    try onFile(name) {
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path(name))
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
    try other.restrict(name, to: permissions)
    guard rename(other.path(name), path(name)) == 0 else {
      throw .file(path: path(name), reason: String(cString: strerror(errno)))
    }
  }

  /// Returns a sentence about an error of Foundation, whose description is a long dump.
  static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    return (underlying ?? error).localizedDescription
  }

  private func onFile<Result>(
    _ name: String, _ action: () throws -> Result
  ) throws(StateDirectoryError) -> Result {
    do { return try action() } catch { throw .file(path: path(name), reason: Self.reason(error)) }
  }
}

// MARK: Keys

extension StateDirectory {
  private static let demoKeyName = "demo-key.json"

  /// Returns the demo key of this directory; makes one if there is none.
  ///
  /// Throws if the file exists and is not a key.
  package func demoKey() throws(StateDirectoryError) -> DemoKey {
    let name = Self.demoKeyName
    if exists(name) {
      guard let key = DemoKey(json: try read(name)) else {
        throw .damaged(
          reason: "\(path(name)) is not {\"keyID\":\"…\",\"secret\":\"… (hexadecimal)\"}.",
          delete: [path(name)])
      }
      try restrict(name)
      return key
    }
    let (key, data) = try onFile(name) {
      let key = try DemoKey.random()
      return (key, try key.json())
    }
    try withScratch { scratch throws(StateDirectoryError) in
      try scratch.write(data, to: name)
      try adopt(name, from: scratch, permissions: 0o600)
    }
    return key
  }

  /// Returns an Ed25519 private key in PEM, and makes it and its public key if one of the files is missing.
  ///
  /// In production the private key would not be on the server.
  func signingKey(
    _ privateName: String, publicKey publicName: String, searchPath: String?
  ) throws(StateDirectoryError) -> String {
    if !exists(privateName) || !exists(publicName) {
      let openssl = try OpenSSLProgram(searchPath: searchPath)
      try withScratch { scratch throws(StateDirectoryError) in
        try openssl.run(["genpkey", "-algorithm", "ed25519", "-out", privateName], in: scratch)
        try openssl.run(["pkey", "-in", privateName, "-pubout", "-out", publicName], in: scratch)
        try adopt(privateName, from: scratch, permissions: 0o600)
        try adopt(publicName, from: scratch, permissions: 0o644)
      }
    }
    return String(decoding: try read(privateName), as: UTF8.self)
  }
}

/// Why the state directory can't be used.
package enum StateDirectoryError: Error, Equatable, CustomStringConvertible {
  case unusable(path: String, reason: String)
  case file(path: String, reason: String)
  /// Files are damaged, missing or do not belong together; the server makes new ones once those named are
  /// deleted.
  case damaged(reason: String, delete: [String])
  case opensslMissing
  case openssl(step: String, output: String)

  package var description: String {
    switch self {
    case .unusable(let path, let reason): "The state directory \(path) cannot be used: \(reason)"
    case .file(let path, let reason): "\(path) cannot be used: \(reason)"
    case .damaged(let reason, let delete):
      "\(reason) Delete \(delete.joined(separator: ", ")), and the next start makes new files."
    case .opensslMissing:
      "The program openssl, which makes the certificate, is not on PATH; install it (apt-get install openssl)."
    case .openssl(let step, let output): "openssl failed at '\(step)': \(output)"
    }
  }
}
