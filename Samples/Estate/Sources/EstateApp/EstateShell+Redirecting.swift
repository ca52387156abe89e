import Foundation
import Mediation

extension EstateShell {
  /// Puts the redirect table of a file in force, if the signature beside it, in `FILE.sig`, is right; says so
  /// if it is not.
  ///
  /// Without a table in force URLs lead where the modules say, so the app goes on in any case.
  @discardableResult public func applyRedirects(from path: String) -> Bool {
    do {
      let payload = try Self.bytes(of: path)
      let signature = try Self.bytes(of: path + ".sig")
      try mediator.apply(payload, signature: signature) { bytes in
        try JSONDecoder().decode(RedirectTable.self, from: Data(bytes))
      }
      return true
    } catch {
      say("  ! the redirect table of \(path) is not in force: \(error)")
      return false
    }
  }

  /// The bytes of a file, no more than the mediator would look at and one.
  private static func bytes(of path: String) throws -> [UInt8] {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path])
    }
    return [UInt8](try file.read(upToCount: 1 << 20 + 1) ?? Data())
  }
}
