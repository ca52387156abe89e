import Foundation

extension StateDirectory {
  /// The name of the demo key's file.
  public static let demoKeyName = "demo-key.json"

  /// Returns the demo key of this directory; makes one if there is none.
  ///
  /// Throws if the file exists and is not a key.
  public func demoKey() throws(StateDirectoryError) -> DemoKey {
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
    var generator = SystemRandomNumberGenerator()
    let key = DemoKey.random(using: &generator)
    return try withScratch { scratch throws(StateDirectoryError) in
      let data: Data
      do {
        data = try key.json()
      } catch {
        throw .file(path: path(name), reason: Self.reason(error))
      }
      try scratch.write(data, to: name)
      try adopt(name, from: scratch, permissions: 0o600)
      return key
    }
  }
}
