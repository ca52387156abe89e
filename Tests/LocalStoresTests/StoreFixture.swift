#if SQLite
import CommandRunning
import Foundation
import Interception
import SwitchyardTesting

@testable import LocalStores

/// Stores in a temporary folder, with a clock that the test controls.
final class StoreFixture: Sendable {
  let folder: TemporaryFolder
  let clock = TestClock()
  private let wallTime: WallTime

  init(wallTime: WallTime = WallTime(secondsSince1970: 1_700_000_000)) throws {
    folder = try TemporaryFolder(prefix: "local")
    self.wallTime = wallTime
  }

  /// The folder of the stores, which they create.
  var path: String { folder.url.path + "/data/local" }

  func stores(
    _ schema: LocalSchema = Note.schema, limits: LocalLimits = LocalLimits(), wallTime: WallTime? = nil
  ) -> AccountStores {
    let time = TimeSource(clock) { [clock, wallTime = wallTime ?? self.wallTime] in
      wallTime.advanced(by: clock.now.offset)
    }
    return AccountStores(folder: path, schema: schema, limits: limits, time: time)
  }

  /// The names of the files in the folder.
  var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

  /// The databases in the folder.
  var databases: [String] { files.filter { $0.hasSuffix(".sqlite") } }

  /// Whether a file in the folder contains a text; one that SQLite removes meanwhile does not.
  func contains(_ text: String) throws -> Bool {
    try files.contains { name in
      do {
        return try Data(contentsOf: URL(filePath: "\(path)/\(name)")).firstRange(of: Data(text.utf8)) != nil
      } catch CocoaError.fileReadNoSuchFile { return false }
    }
  }
}

struct Note: Codable, Identifiable, Sendable, Hashable {
  var id: Int
  var home: Int
  var text = ""

  static let byHome = LocalIndex("home") { (note: Note) in note.home }
  static let byText = LocalIndex("text") { (note: Note) in note.text.isEmpty ? nil : note.text }
  static let all = LocalCollection("notes", indexes: byHome, byText)
  /// Items that may be removed if the store needs room.
  static let seen = LocalCollection<Note>("seen", written: .atBackground, isEvictable: true)
  static let drafts = LocalCollection("drafts", indexes: byHome, byText, written: .atBackground)
  static let schema = LocalSchema(collections: all, seen, drafts)
}

enum Keys {
  static let theme = LocalKey("theme", default: "light")
  static let draft = LocalKey<String?>("draft", default: nil, written: .atBackground)
  static let visits = LocalKey("visits", default: 0)
}
#endif
