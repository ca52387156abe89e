#if SQLite
import Foundation
import Interception
import SwitchyardTesting
import Testing

@testable import LocalStores

@Suite("Damage of a local store", .timeLimit(.minutes(5)))
struct LocalStoreDamageTests {
  private static let count = 40
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private static func note(_ id: Int) -> Note {
    Note(id: id, home: id % 7, text: String(repeating: "note \(id) ", count: id * 8))
  }

  private func fill() async throws -> String {
    let stores = fixture.stores()
    let store = try await stores.store(of: "ada")
    try await store.transaction { data in
      for id in 1...Self.count { try data.put(Self.note(id), in: Note.all) }
      try data.set("dark", for: Keys.theme)
    }
    try await stores.close()
    return "\(fixture.path)/\(try #require(fixture.databases.first))"
  }

  @Test("A changed byte anywhere in the file costs some items, but changes none, and never another account's")
  func bytes() async throws {
    let path = try await fill()
    let original = try Data(contentsOf: URL(filePath: path))
    var random = SeededRandom(seed: 54)
    let pages = Array(stride(from: 0, to: original.count, by: 4_096))
    var positions = (0..<100).shuffled(using: &random).prefix(25) + pages.shuffled(using: &random).prefix(20)
    positions += (0..<40).map { _ in Int.random(in: 0..<original.count, using: &random) }
    var lost = 0
    for position in positions {
      for file in fixture.files { try FileManager.default.removeItem(atPath: "\(fixture.path)/\(file)") }
      var changed = original
      changed[position] ^= UInt8.random(in: 1...255, using: &random)
      try changed.write(to: URL(filePath: path))
      // A process may find the damage when it opens the file, or when it reads, and the next one salvages it.
      var found: [Note]?
      for _ in 0..<3 where found == nil {
        let stores = fixture.stores()
        guard let store = try? await stores.store(of: "ada") else { continue }
        if let notes = try? await store.items(LocalQuery(Note.all)),
          (try? await store.items(LocalQuery(Note.all, by: Note.byHome))) != nil
        {
          found = notes
          #expect(["light", "dark"].contains((try? await store.value(Keys.theme)) ?? "light"))
          if (try? await store.put(Note(id: 99, home: 1), in: Note.all)) == nil { found = nil }
        }
        try? await stores.close()
      }
      guard let found else {
        // The number in the header that says whose format it is.
        #expect(position < 100, "byte \(position)")
        continue
      }
      for note in found where note.id <= Self.count {
        #expect(note == Self.note(note.id), "byte \(position), item \(note.id)")
      }
      lost += Self.count - found.count
    }
    #expect(lost < positions.count * Self.count / 4)
  }

  @Test(
    "A lost page costs the items on it, and one of an index none: all others are kept, and are found again",
    arguments: [true, false])
  func page(isOfItems: Bool) async throws {
    let path = try await fill()
    var content = try Data(contentsOf: URL(filePath: path))
    // The first page with a text; an index has it without the rest of the item.
    let (text, item) = (Data("note 3 note 3".utf8), Data(#""text":"note 3 note 3"#.utf8))
    let places = content.ranges(of: text).map { $0.lowerBound / 4_096 }
    let ofItems = content.ranges(of: item).map { $0.lowerBound / 4_096 }
    let page = try #require(isOfItems ? ofItems.first : places.first { !ofItems.contains($0) })
    content.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(repeating: 0xA5, count: 4_096))
    try content.write(to: URL(filePath: path))
    var found: [[Note]] = []
    // The start that finds the damage, and the one that repairs it.
    for _ in 0..<3 where found.isEmpty {
      let stores = fixture.stores()
      guard let store = try? await stores.store(of: "ada") else { continue }
      let queries = [
        LocalQuery(Note.all), LocalQuery(Note.all, by: Note.byHome), LocalQuery(Note.all, by: Note.byText),
      ]
      var results: [[Note]] = []
      for query in queries { if let notes = try? await store.items(query) { results.append(notes) } }
      if results.count == queries.count { found = results }
      try? await stores.close()
    }
    let notes = try #require(found.first)
    #expect(isOfItems ? notes.count >= Self.count / 2 && notes.count < Self.count : notes.count == Self.count)
    #expect(notes.allSatisfy { $0 == Self.note($0.id) })
    #expect(found.allSatisfy { Set($0) == Set(notes) })
    #expect(fixture.files.contains { $0.contains(".damaged-") })
  }

  @Test("A file that was moved without its log is refused or salvaged: nothing is half there")
  func lostLog() async throws {
    let stores = fixture.stores()
    let store = try await stores.store(of: "ada")
    for id in 1...Self.count { try await store.put(Self.note(id), in: Note.all) }
    let name = try #require(fixture.databases.first)
    #expect(fixture.files.contains("\(name)-wal"))
    // As by a backup that knows nothing of the log.
    let copy = try StoreFixture()
    try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: "\(fixture.path)/\(name)", toPath: "\(copy.path)/\(name)")
    let moved = try await copy.stores().store(of: "ada")
    let notes = try await moved.items(LocalQuery(Note.all))
    #expect(notes == (1...Self.count).prefix(notes.count).map(Self.note))
    // And with it, everything is there.
    let whole = try StoreFixture()
    try FileManager.default.createDirectory(atPath: whole.path, withIntermediateDirectories: true)
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: "\(fixture.path)/\(name)\(ending)", toPath: "\(whole.path)/\(name)\(ending)")
    }
    let all = try await whole.stores().store(of: "ada").items(LocalQuery(Note.all))
    #expect(all == (1...Self.count).map(Self.note))
  }

  @Test(
    "After a crash while a damaged file is replaced, the replacement counts only once the old one is away",
    arguments: [true, false])
  func bothFiles(isOldThere: Bool) async throws {
    let path = try await fill()
    let manager = FileManager.default
    if isOldThere {
      // The replacement is not complete.
      try Data("half".utf8).write(to: URL(filePath: path + ".salvage"))
    } else {
      try manager.moveItem(atPath: path, toPath: path + ".salvage")
    }
    let notes = try await fixture.stores().store(of: "ada").items(LocalQuery(Note.all))
    #expect(notes == (1...Self.count).map(Self.note))
  }
}
#endif
