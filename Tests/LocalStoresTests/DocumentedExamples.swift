#if SQLite
import Interception
import LocalStores

/// The examples of the documentation, which `DocumentationTests` compares with these.
///
/// They are compiled only, because of their paths.
private enum DocumentedExamples {
  struct Account: Sendable {
    let id: String
  }

  struct FormerNote: Codable, Identifiable, Sendable {
    var id: Int
    var text: String
  }

  /// What a module's table of routes has.
  struct Table {
    enum Event { case background }
    func on(_ event: Event, _ body: @escaping @Sendable (Int, Int) async throws -> Void) {}
  }

  static func declarations() {
    struct Note: Codable, Identifiable, Sendable {
      var id: Int
      var home: Int
      var text: String
    }
    let byHome = LocalIndex("home") { (note: Note) in note.home }
    let notes = LocalCollection("notes", indexes: byHome)
    let theme = LocalKey("theme", default: "light")
    let draft = LocalKey<String?>("draft", default: nil, written: .atBackground)
    _ = (notes, theme, draft)
  }

  static func overview(_ account: Account, _ table: Table) async throws {
    struct Note: Codable, Identifiable, Sendable, Equatable {
      var id: Int
      var home: Int
      var text: String
    }

    let theme = LocalKey("theme", default: "light")
    let draft = LocalKey<String?>("draft", default: nil, written: .atBackground)
    let byHome = LocalIndex("home") { (note: Note) in note.home }
    let notes = LocalCollection("notes", indexes: byHome)
    do {
      let stores = AccountStores(folder: "/var/lib/estate/local", schema: LocalSchema(collections: notes))
      let store = try await stores.store(of: account.id)
      try await store.set("dark", for: theme)
      try await store.put(Note(id: 1, home: 42, text: "Call the agent"), in: notes)
      let found = try await store.items(LocalQuery(notes, by: byHome, from: 42, through: 42))
      _ = (found, draft)
      table.on(.background) { _, _ in try await stores.flush() }
    }
    let schema = LocalSchema(
      collections: notes,
      migrations: [
        // To version 2: a note had no home.
        LocalMigration { data in
          for old in try data.items(LocalQuery(LocalCollection<FormerNote>("notes"))) {
            try data.put(Note(id: old.id, home: 0, text: old.text), in: notes)
          }
        }
      ])
    let stores = AccountStores(folder: "/var/lib/estate/local", schema: schema)
    let store = try await stores.store(of: account.id)
    let shown = try await store.observe(LocalQuery(notes, by: byHome, from: 42, through: 42))
    print(await shown.value.count)
    for await change in store.changes {
      if case .unwritten(let reason) = change { print("Not saved yet: \(reason)") }
    }
    let document = try await stores.export(account.id)
    try await stores.remove(account.id)
    _ = document
  }

  struct Note: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var home: Int
    var text: String
    var time = 0.0
  }

  static func comments(
    _ stores: AccountStores, _ account: Account, _ store: LocalStore, _ theme: LocalKey<String>,
    _ visits: LocalKey<Int>, _ searches: LocalCollection<FormerNote>
  ) async throws {
    let byHome = LocalIndex("home") { (note: Note) in note.home }
    let byTime = LocalIndex("time") { (note: Note) in note.time }
    let notes = LocalCollection("notes", indexes: byHome, byTime)
    do {
      let stores = AccountStores(folder: "/var/lib/estate/local", schema: LocalSchema(collections: notes))
      let store = try await stores.store(of: account.id)
      try await store.put(Note(id: 1, home: 42, text: "Call the agent"), in: notes)
      try await stores.flush()  // when the app goes to the background
      try await stores.remove(account.id)  // at logout
    }
    do {
      let store = try await stores.store(of: account.id)
      try await store.set("dark", for: theme)
      try await store.put(Note(id: 1, home: 42, text: "Call the agent"), in: notes)
      let found = try await store.items(LocalQuery(notes, by: byHome, from: 42, through: 42))
      _ = found
    }
    try await store.transaction { data in
      let count = try data.value(visits)
      try data.set(count + 1, for: visits)
    }
    let shown = try await store.observe(LocalQuery(notes, by: byHome, from: 42, through: 42))
    let count = await shown.value.count
    _ = count
    _ = LocalQuery(notes)
    let range = LocalQuery(notes, by: byHome, from: 42, through: 42)
    let latest = LocalQuery(notes, by: byTime, isDescending: true, limit: 20)
    _ = (range, latest)
    let schema = LocalSchema(
      collections: notes, searches,
      migrations: [
        // From version 1 to version 2: a note had no home.
        LocalMigration { data in
          for old in try data.items(LocalQuery(LocalCollection<FormerNote>("notes"))) {
            try data.put(Note(id: old.id, home: 0, text: old.text), in: notes)
          }
        }
      ])
    _ = schema
  }
}
#endif
