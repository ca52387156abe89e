#if SQLite
import Foundation
import Interception
import SwitchyardTesting
import Testing

@testable import LocalStores

@Suite("Migrations of a local store", .timeLimit(.minutes(5)))
struct LocalMigrationTests {
  struct FormerNote: Codable, Identifiable, Sendable {
    var id: Int
    var text: String
  }

  private struct Failure: Error, CustomStringConvertible { let description = "SECRET" }

  private static let former = LocalCollection<FormerNote>("notes")
  private static let formerSchema = LocalSchema(collections: former)
  private static let theme = LocalKey("theme", default: "")
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private static let toHomes = LocalMigration { data in
    for note in try data.items(LocalQuery(former)) {
      try data.put(Note(id: note.id, home: note.id * 10, text: note.text), in: Note.all)
    }
  }

  private static let toUpperCase = LocalMigration { data in
    for var note in try data.items(LocalQuery(Note.all)) where note.id != 2 {
      note.text = note.text.uppercased()
      try data.put(note, in: Note.all)
    }
    try data.remove(2, of: Note.all)
    try data.set(try data.value(theme) + "!", for: theme)
  }

  /// Writes a file of version 1.
  private func prepare(_ account: String = "ada") async throws {
    let stores = fixture.stores(Self.formerSchema)
    let store = try await stores.store(of: account)
    for id in 1...3 { try await store.put(FormerNote(id: id, text: "text \(id)"), in: Self.former) }
    try await store.set("dark", for: Self.theme)
    try await stores.close()
  }

  private func formerTexts() async throws -> [String] {
    let stores = fixture.stores(Self.formerSchema)
    let store = try await stores.store(of: "ada")
    let texts = try await store.items(LocalQuery(Self.former)).map(\.text)
    #expect(try await store.value(Self.theme) == "dark")
    try await stores.close()
    return texts
  }

  @Test("All migrations since the file's version run, once, and the indexes are those of the new types")
  func steps() async throws {
    try await prepare()
    let schema = LocalSchema(collections: Note.all, migrations: [Self.toHomes, Self.toUpperCase])
    for _ in 0..<2 {
      let stores = fixture.stores(schema)
      let store = try await stores.store(of: "ada")
      #expect(try await store.items(LocalQuery(Note.all)).map(\.text) == ["TEXT 1", "TEXT 3"])
      #expect(try await store.items(LocalQuery(Note.all, by: Note.byHome, from: 30)).map(\.id) == [3])
      #expect(try await store.items(LocalQuery(Note.all, by: Note.byText, from: "TEXT 3")).map(\.id) == [3])
      #expect(try await store.value(Self.theme) == "dark!")
      try await stores.close()
    }
    // A new account begins with the latest version.
    #expect(try await fixture.stores(schema).store(of: "bob").value(Self.theme) == "")
    let error = await #expect(throws: LocalStoreError.self) {
      try await fixture.stores(Self.formerSchema).store(of: "ada")
    }
    #expect(error?.kind == .file(.foreign))
    #expect(error?.description.contains("newer version") == true)
  }

  private static let failing: [(name: String, migrations: [LocalMigration], kind: LocalStoreError.Kind)] = [
    ("throws", [toHomes, LocalMigration { _ in throw Failure() }], .migration),
    (
      "throws after changes",
      [
        LocalMigration { data in
          try data.remove(1, of: former)
          try data.set("changed", for: theme)
          throw Failure()
        }
      ], .migration
    ),
    ("leaves items of the former type", [LocalMigration { _ in }], .migration),
    (
      "reads another type",
      [LocalMigration { data in _ = try data.items(LocalQuery(Note.all)) }], .migration
    ),
    (
      "searches by an index",
      [LocalMigration { data in _ = try data.items(LocalQuery(Note.all, by: Note.byHome)) }], .migration
    ),
    (
      "writes too long a value",
      [
        toHomes,
        LocalMigration { data in try data.set(String(repeating: "x", count: 2 << 20), for: theme) },
      ], .migration
    ),
  ]

  @Test(
    "K3: A failed migration leaves the former version's data readable, and a corrected one reads it",
    arguments: failing.indices)
  func failure(index: Int) async throws {
    try await prepare()
    let (name, migrations, kind) = Self.failing[index]
    let schema = LocalSchema(collections: Note.all, migrations: migrations)
    for _ in 0..<2 {
      let stores = fixture.stores(schema)
      let error = await #expect(throws: LocalStoreError.self, "\(name)") { try await stores.store(of: "ada") }
      #expect(error?.kind == kind)
      #expect(error?.description.contains("to version \(migrations.count + 1) failed") == true)
      #expect(error?.description.contains("SECRET") == false)
      let document = try JSONSerialization.jsonObject(with: Data(await stores.export("ada")))
      let exported = try #require(document as? NSDictionary)
      #expect(exported["version"] as? Int == 1)
      let collections = exported["collections"] as? [String: [Any]]
      #expect(collections?["notes"]?.count == 3)
    }
    #expect(fixture.databases.count == 1)
    #expect(!fixture.files.contains { $0.contains("damaged") })
    #expect(try await formerTexts() == ["text 1", "text 2", "text 3"])
    let corrected = LocalSchema(collections: Note.all, migrations: [Self.toHomes])
    let notes = try await fixture.stores(corrected).store(of: "ada").items(LocalQuery(Note.all))
    #expect(notes.map(\.home) == [10, 20, 30])
  }

  @Test("A type that changed without a migration is found when the store is opened, and its items stay")
  func forgotten() async throws {
    try await prepare()
    let error = await #expect(throws: LocalStoreError.self) { try await fixture.stores().store(of: "ada") }
    #expect(error?.kind == .undecodable)
    #expect(error?.description.contains("\"home\": it is missing") == true)
    #expect(error?.description.contains("\"notes\"") == true)
    #expect(try await formerTexts().count == 3)
  }

  @Test("A damaged file of a former version is salvaged with its version, and then migrated")
  func damaged() async throws {
    try await prepare()
    let path = "\(fixture.path)/\(try #require(fixture.databases.first))"
    try Data().write(to: URL(filePath: path + ".damaged"))
    let schema = LocalSchema(collections: Note.all, migrations: [Self.toHomes])
    let store = try await fixture.stores(schema).store(of: "ada")
    #expect(store.damagedFile != nil)
    #expect(try await store.items(LocalQuery(Note.all, by: Note.byHome)).map(\.home) == [10, 20, 30])
    #expect(try await store.value(Self.theme) == "dark")
  }
}
#endif
