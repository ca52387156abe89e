import Foundation
import Switchyard

extension EstateShell {
  /// The version of the deployment document in use, and whether a later one is held back.
  package var deployment: (version: UInt64?, isHeldBack: Bool) { deployments.status }

  /// Applies the redirect table of a file if its signature in `FILE.sig` is valid, and otherwise prints why
  /// not.
  ///
  /// Without a table URLs open the routes that the modules declare, so a refused table is not fatal.
  @discardableResult package func applyRedirects(from path: String) -> Bool {
    do {
      let payload = try Self.bytes(of: path)
      let signature = try Self.bytes(of: path + ".sig")
      try redirects.apply(payload, signature: signature) { bytes in
        let table = try JSONDecoder().decode(RedirectTable.self, from: Data(bytes))
        say("  · redirect table \(table.version) has \(table.rules.count) rules")
        return table
      }
      return true
    } catch {
      say("  ! the redirect table of \(path) is not in force: \(error)")
      return false
    }
  }

  /// Reads at most 1 MiB + 1 byte of a file; more than 1 MiB is refused.
  private static func bytes(of path: String) throws -> [UInt8] {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path])
    }
    return [UInt8](try file.read(upToCount: 1 << 20 + 1) ?? Data())
  }
}
