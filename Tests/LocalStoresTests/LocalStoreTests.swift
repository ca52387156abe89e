#if SQLite
import Foundation
import Interception
import SwitchyardTesting
import Testing

@testable import LocalStores

@Suite("A local store", .timeLimit(.minutes(5)))
struct LocalStoreTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test(
    "A value is read as it was set, by the same store and by the next one, and has its default value before")
  func value() async throws {
    let stores = fixture.stores()
    let store = try await stores.store(of: "ada")
    #expect(try await store.value(Keys.theme) == "light")
    try await store.set("dark", for: Keys.theme)
    try await store.set("Dear agent", for: Keys.draft)
    #expect(try await store.value(Keys.theme) == "dark")
    #expect(try await store.value(Keys.draft) == "Dear agent")
    try await stores.close()
    let next = try await fixture.stores().store(of: "ada")
    #expect(try await next.value(Keys.theme) == "dark")
    #expect(try await next.value(Keys.draft) == "Dear agent")
    try await next.set(nil, for: Keys.draft)
    try await next.removeValue(Keys.theme)
    #expect(try await next.value(Keys.draft) == nil)
    #expect(try await next.value(Keys.theme) == "light")
  }

  @Test("Values at the edge of their types are read as they were set")
  func edges() async throws {
    struct Edges: Codable, Sendable, Equatable {
      var numbers = [0.1 + 0.2, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0]
      var whole = [Int.min, .max]
      var unsigned = UInt64.max
      var texts = ["", "\u{0}", "e\u{301}", "\"\\/\n", "👩‍👩‍👧"]
      var time = Date(timeIntervalSinceReferenceDate: 800_000_000.123456789)
      var bytes = Data([0, 255, 10])
      var nothing: Int?
    }
    let key = LocalKey<Edges?>("edges", default: nil)
    let stores = fixture.stores()
    try await stores.store(of: "").set(Edges(), for: key)
    try await stores.close()
    let read = try await fixture.stores().store(of: "").value(key)
    #expect(read == Edges())
    #expect(read?.texts[2].unicodeScalars.count == 2)
  }

  @Test("An item replaces one with the same ID, keeps its place, and is gone once it is removed")
  func items() async throws {
    let stores = fixture.stores()
    let store = try await stores.store(of: "ada")
    for id in [3, 1, 2] { try await store.put(Note(id: id, home: 7), in: Note.all) }
    try await store.put(Note(id: 1, home: 8), in: Note.all)
    #expect(try await store.items(LocalQuery(Note.all)).map(\.id) == [3, 1, 2])
    #expect(try await store.item(1, of: Note.all)?.home == 8)
    #expect(try await store.items(LocalQuery(Note.all, by: Note.byHome, from: 8)).map(\.id) == [1])
    try await store.remove(1, of: Note.all)
    try await store.remove(99, of: Note.all)
    #expect(try await store.item(1, of: Note.all) == nil)
    #expect(try await store.items(LocalQuery(Note.all, by: Note.byHome, from: 8)).isEmpty)
    #expect(try await store.items(LocalQuery(Note.all)).map(\.id) == [3, 2])
  }

  @Test("IDs that Swift considers equal are one item, and IDs that differ only after a null byte are two")
  func identity() async throws {
    struct Named: Codable, Identifiable, Sendable { var id: String }
    let names = LocalCollection<Named>("names")
    let store = try await fixture.stores(LocalSchema(collections: names)).store(of: "ada")
    for id in ["\u{e9}", "e\u{301}", "a\u{0}b", "a\u{0}c", "a", "", "\""] {
      try await store.put(Named(id: id), in: names)
    }
    #expect(
      try await store.items(LocalQuery(names)).map(\.id) == ["e\u{301}", "a\u{0}b", "a\u{0}c", "a", "", "\""])
    #expect(try await store.item("\u{e9}", of: names)?.id == "e\u{301}")
  }

  @Test("A transaction reads what it has changed, and changes nothing if it throws")
  func transaction() async throws {
    struct Refusal: Error {}
    let store = try await fixture.stores().store(of: "ada")
    try await store.put(Note(id: 1, home: 1), in: Note.all)
    await #expect(throws: Refusal.self) {
      try await store.transaction { data in
        try data.set("dark", for: Keys.theme)
        try data.set("x", for: Keys.draft)
        try data.remove(1, of: Note.all)
        #expect(try data.value(Keys.theme) == "dark")
        #expect(try data.item(1, of: Note.all) == nil)
        throw Refusal()
      }
    }
    #expect(try await store.value(Keys.theme) == "light")
    #expect(try await store.value(Keys.draft) == nil)
    #expect(try await store.items(LocalQuery(Note.all)).map(\.id) == [1])
    #expect(store.waitingCount == 0)
  }

  @Test("Transactions run one after another: what is read doesn't change before it is written")
  func counting() async throws {
    let store = try await fixture.stores().store(of: "ada")
    await withTaskGroup { group in
      for _ in 0..<40 {
        group.addTask {
          try? await store.transaction { try $0.set(try $0.value(Keys.visits) + 1, for: Keys.visits) }
        }
      }
    }
    #expect(try await store.value(Keys.visits) == 40)
  }

  // MARK: When changes are written

  @Test("K1: A value with `.now` is in the file when the call returns, and one with `.atBackground` waits")
  func durability() async throws {
    let stores = fixture.stores()
    let store = try await stores.store(of: "ada")
    try await store.set("MARK-NOW", for: Keys.theme)
    try await store.set("MARK-LATER", for: Keys.draft)
    try await store.put(Note(id: 1, home: 1, text: "MARK-LATER"), in: Note.drafts)
    #expect(try fixture.contains("MARK-NOW"))
    #expect(try !fixture.contains("MARK-LATER"))
    #expect(store.waitingCount == 2)
    #expect(try await store.value(Keys.draft) == "MARK-LATER")
  }

  @Test(
    "K1: Waiting values are written together at the background event, at close, and after the bound",
    arguments: ["background", "close", "bound"])
  func occasions(occasion: String) async throws {
    let stores = fixture.stores(limits: LocalLimits(delay: .seconds(30)))
    let store = try await stores.store(of: "ada")
    try await store.set("MARK-1", for: Keys.draft)
    try await store.put(Note(id: 1, home: 1, text: "MARK-2"), in: Note.drafts)
    try await fixture.clock.waitForSleepers(1)
    fixture.clock.advance(by: .seconds(29))
    #expect(store.waitingCount == 2)
    switch occasion {
    case "background": try await stores.flush()
    case "close": try await stores.close()
    default: fixture.clock.advance(by: .seconds(1))
    }
    try await waitUntil("nothing waits") { store.waitingCount == 0 }
    #expect(try fixture.contains("MARK-1"))
    #expect(try fixture.contains("MARK-2"))
  }

  @Test("K1: A step with a change for `.now` is written whole, and its value replaces the one that waits")
  func mixed() async throws {
    let stores = fixture.stores()
    let store = try await stores.store(of: "ada")
    try await store.set("first", for: Keys.draft)
    try await store.transaction { data in
      try data.set("dark", for: Keys.theme)
      try data.set("MARK-SECOND", for: Keys.draft)
    }
    #expect(store.waitingCount == 0)
    #expect(try fixture.contains("MARK-SECOND"))
    #expect(try await store.value(Keys.draft) == "MARK-SECOND")
  }

  @Test(
    "Changes that wait are bounded: the one too many writes them all",
    arguments: [("count", 1_001), ("bytes", 3)])
  func bound(kind: String, count: Int) async throws {
    let store = try await fixture.stores().store(of: "ada")
    let text = kind == "count" ? "x" : String(repeating: "x", count: 500_000)
    try await store.transaction { data in
      for id in 1..<count { try data.put(Note(id: id, home: 1, text: text), in: Note.drafts) }
    }
    #expect(store.waitingCount == count - 1)
    try await store.put(Note(id: count, home: 1, text: text), in: Note.drafts)
    #expect(store.waitingCount == 0)
    #expect(try await store.items(LocalQuery(Note.drafts)).count == count)
  }

  @Test("A store that is released without being closed writes what waits")
  func release() async throws {
    try await fixture.stores().store(of: "ada").set("MARK", for: Keys.draft)
    try await waitUntil("it is written") { try fixture.contains("MARK") }
    try await waitUntil("the file is closed") {
      (try? await fixture.stores().store(of: "ada").value(Keys.draft)) == "MARK"
    }
  }

  @Test("A wall clock that is set back by years delays no write, and hides no value", arguments: [-1e9, 1e9])
  func clock(seconds: Double) async throws {
    let stores = fixture.stores()
    try await stores.store(of: "ada").set("dark", for: Keys.theme)
    try await stores.close()
    let changed = fixture.stores(
      wallTime: WallTime(secondsSince1970: 1_700_000_000 + Int64(seconds)))
    let store = try await changed.store(of: "ada")
    #expect(try await store.value(Keys.theme) == "dark")
    try await store.set("x", for: Keys.draft)
    try await fixture.clock.waitForSleepers(1)
    fixture.clock.advance(by: .seconds(30))
    try await waitUntil("nothing waits") { store.waitingCount == 0 }
  }

  // MARK: Limits

  @Test("Items that may be evicted make room in the order of their writes; without any, a change is refused")
  func quota() async throws {
    let text = String(repeating: "x", count: 1_000)
    let stores = fixture.stores(limits: LocalLimits(bytes: 8_000))
    let store = try await stores.store(of: "ada")
    for id in 1...4 { try await store.put(Note(id: id, home: 0, text: text), in: Note.seen) }
    try await stores.flush()
    // Written again, so that it is no longer the oldest.
    try await store.put(Note(id: 1, home: 0, text: text), in: Note.seen)
    try await stores.flush()
    for id in 1...4 { try await store.put(Note(id: id, home: 0, text: text), in: Note.all) }
    #expect(try await store.items(LocalQuery(Note.seen)).map(\.id) == [1, 3, 4])
    for id in 5...6 { try await store.put(Note(id: id, home: 0, text: text), in: Note.all) }
    #expect(try await store.items(LocalQuery(Note.seen)).map(\.id) == [1])
    let error = await #expect(throws: LocalStoreError.self) {
      try await store.transaction { data in
        for id in 7...9 { try data.put(Note(id: id, home: 0, text: text), in: Note.all) }
      }
    }
    #expect(error?.kind == .full)
    #expect(error?.description.contains("8000 bytes") == true)
    #expect(try await store.items(LocalQuery(Note.all)).count == 6)
    #expect(store.usedBytes <= 8_000)
    let used = store.usedBytes
    try await stores.close()
    #expect(try await fixture.stores().store(of: "ada").usedBytes == used)
  }

  @Test("Room is reserved for what waits, and what frees room is never refused")
  func reservation() async throws {
    let text = String(repeating: "x", count: 1_000)
    let store = try await fixture.stores(limits: LocalLimits(bytes: 3_500)).store(of: "ada")
    for id in 1...2 { try await store.put(Note(id: id, home: 0, text: text), in: Note.drafts) }
    try await store.put(Note(id: 3, home: 0, text: text), in: Note.drafts)
    for collection in [Note.drafts, Note.all] {
      let error = await #expect(throws: LocalStoreError.self) {
        try await store.put(Note(id: 4, home: 0, text: text), in: collection)
      }
      #expect(error?.kind == .full)
    }
    try await store.remove(1, of: Note.drafts)
    try await store.put(Note(id: 4, home: 0, text: text), in: Note.all)
    // The next app's limit is lower.
    try await store.flush()
  }

  @Test("A store that is larger than a lower limit can be emptied")
  func lowerLimit() async throws {
    let stores = fixture.stores()
    let store = try await stores.store(of: "ada")
    for id in 1...4 { try await store.put(Note(id: id, home: 0, text: "text"), in: Note.all) }
    try await stores.close()
    let smaller = try await fixture.stores(limits: LocalLimits(bytes: 200)).store(of: "ada")
    await #expect(throws: LocalStoreError.self) { try await smaller.put(Note(id: 9, home: 0), in: Note.all) }
    for id in 1...4 { try await smaller.remove(id, of: Note.all) }
    #expect(try await smaller.items(LocalQuery(Note.all)).isEmpty)
  }

  // MARK: Bad input

  @Test("A change that can't be stored is refused with its reason, and nothing is changed")
  func refusals() async throws {
    struct Loud: Codable, Sendable {
      init() {}
      init(from decoder: any Decoder) throws {}
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
          "SECRET", .init(codingPath: [], debugDescription: "SECRET can't be encoded"))
      }
    }
    let store = try await fixture.stores(limits: LocalLimits(valueBytes: 1_000)).store(of: "ada")
    func kind(_ work: () async throws -> Void) async -> LocalStoreError.Kind? {
      do { try await work() } catch let error as LocalStoreError {
        #expect(!error.description.contains("SECRET"))
        #expect(!error.description.isEmpty)
        return error.kind
      } catch {}
      return nil
    }
    let long = String(repeating: "SECRET", count: 200)
    let undeclared = LocalCollection<Note>("undeclared")
    let otherIndexes = LocalCollection<Note>("notes")
    let strange = LocalIndex("strange") { (note: Note) in note.id }
    #expect(await kind { try await store.set(long, for: Keys.theme) } == .tooLarge)
    #expect(await kind { try await store.put(Note(id: 1, home: 1, text: long), in: Note.all) } == .tooLarge)
    #expect(await kind { try await store.set(Loud(), for: LocalKey("loud", default: Loud())) } == .invalid)
    #expect(await kind { try await store.set(1, for: LocalKey("", default: 0)) } == .invalid)
    #expect(await kind { _ = try await store.value(LocalKey("a\u{0}b", default: 0)) } == .invalid)
    #expect(await kind { try await store.put(Note(id: 1, home: 1), in: undeclared) } == .invalid)
    #expect(await kind { try await store.put(Note(id: 1, home: 1), in: otherIndexes) } == .invalid)
    #expect(await kind { _ = try await store.items(LocalQuery(Note.all, by: strange)) } == .invalid)
    #expect(await kind { _ = try await store.value(LocalKey("theme", default: 0)) } == nil)
    try await store.set("SECRET", for: Keys.theme)
    #expect(await kind { _ = try await store.value(LocalKey("theme", default: 0)) } == .undecodable)
    #expect(try await store.items(LocalQuery(Note.all)).isEmpty)
  }

  @Test("A schema whose names are empty or used twice is refused when a store is opened")
  func schemas() async throws {
    let twice = LocalCollection("notes", indexes: Note.byHome, Note.byHome)
    let schemas = [
      LocalSchema(collections: Note.all, LocalCollection<Note>("notes")), LocalSchema(collections: twice),
      LocalSchema(collections: LocalCollection<Note>("")),
      LocalSchema(collections: LocalCollection<Note>("a\u{0}b")),
      LocalSchema(collections: LocalCollection("n", indexes: LocalIndex("") { (note: Note) in note.id })),
    ]
    for schema in schemas {
      let error = await #expect(throws: LocalStoreError.self) {
        try await fixture.stores(schema).store(of: "ada")
      }
      #expect(error?.kind == .invalid)
    }
    #expect(fixture.files.isEmpty)
  }

  // MARK: Changes

  @Test("Readers of the changes receive what was changed, by name, until the store is closed")
  func changes() async throws {
    let stores = fixture.stores(limits: LocalLimits(bytes: 3_000))
    let store = try await stores.store(of: "ada")
    let changes = store.changes
    try await store.set("dark", for: Keys.theme)
    try await store.put(Note(id: 1, home: 1, text: String(repeating: "x", count: 1_500)), in: Note.seen)
    try await store.flush()
    try await store.put(Note(id: 1, home: 1, text: String(repeating: "x", count: 1_500)), in: Note.all)
    try await stores.close()
    var received: [LocalChange] = []
    for await change in changes { received.append(change) }
    #expect(
      received == [
        .value(key: "theme"), .items(collection: "seen"), .evicted(collection: "seen", count: 1),
        .items(collection: "notes"),
      ])
  }

  @Test("The store says that it can't write what waits, and writes it once it can")
  func unwritten() async throws {
    let store = try await fixture.stores().store(of: "ada")
    var changes = store.changes.makeAsyncIterator()
    try await store.set("x", for: Keys.draft)
    #expect(await changes.next() == .value(key: "draft"))
    let (path, moved) = (fixture.path + "/" + fixture.databases[0], fixture.path + "/moved")
    try FileManager.default.moveItem(atPath: path, toPath: moved)
    try await fixture.clock.waitForSleepers(1)
    fixture.clock.advance(by: .seconds(30))
    guard case .unwritten(let reason) = await changes.next() else {
      Issue.record("the failure is not reported")
      return
    }
    #expect(reason.contains("was deleted or replaced"))
    #expect(try await store.value(Keys.draft) == "x")
    try FileManager.default.moveItem(atPath: moved, toPath: path)
    try await fixture.clock.waitForSleepers(1)
    fixture.clock.advance(by: .seconds(30))
    try await waitUntil("nothing waits") { store.waitingCount == 0 }
  }
}
#endif
