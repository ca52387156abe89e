#if SQLite
import Interception
import Observation
import SwitchyardTesting
import Synchronization
import Testing

@testable import LocalStores

@Suite("What a local store shows", .timeLimit(.minutes(5)))
@MainActor
struct LocalObservationTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test("An observed value and observed items follow the store, whether changes wait or are written")
  func following() async throws {
    let store = try await fixture.stores().store(of: "ada")
    try await store.set("x", for: Keys.draft)
    let draft = try await store.observe(Keys.draft)
    let notes = try await store.observe(LocalQuery(Note.all, by: Note.byHome, from: 2, limit: 2))
    #expect(draft.value == "x")
    #expect(notes.value.isEmpty)
    let notifications = Mutex(0)
    withObservationTracking {
      _ = draft.value
    } onChange: {
      notifications.withLock { $0 += 1 }
    }
    try await store.set("y", for: Keys.draft)
    for id in 1...4 { try await store.put(Note(id: id, home: 5 - id), in: Note.all) }
    try await waitUntil("both are shown") { draft.value == "y" && notes.value.map(\.id) == [3, 2] }
    #expect(notifications.withLock { $0 } == 1)
    try await store.remove(3, of: Note.all)
    try await waitUntil("the removal is shown") { notes.value.map(\.id) == [2, 1] }
    #expect(notes.failure == nil)
  }

  @Test("K2: After a logout, what a screen observes has no value of the account")
  func logout() async throws {
    let stores = fixture.stores()
    let store = try await stores.store(of: "ada")
    try await store.set("dark", for: Keys.theme)
    try await store.put(Note(id: 1, home: 1), in: Note.all)
    let theme = try await store.observe(Keys.theme)
    let notes = try await store.observe(LocalQuery(Note.all))
    #expect(theme.value == "dark" && notes.value.count == 1)
    try await stores.remove("ada")
    try await waitUntil("nothing is shown") { theme.value == "light" && notes.value.isEmpty }
  }

  @Test("Evicted items are no longer shown, and what was released is not told any more")
  func eviction() async throws {
    let store = try await fixture.stores(limits: LocalLimits(bytes: 3_000)).store(of: "ada")
    let text = String(repeating: "x", count: 1_500)
    try await store.put(Note(id: 1, home: 1, text: text), in: Note.seen)
    try await store.flush()
    let seen = try await store.observe(LocalQuery(Note.seen))
    weak var released: LocalObservation<[Note]>?
    do {
      let other = try await store.observe(LocalQuery(Note.seen))
      released = other
    }
    #expect(released == nil)
    try await store.put(Note(id: 1, home: 1, text: text), in: Note.all)
    try await waitUntil("it is not shown") { seen.value.isEmpty }
  }
}
#endif
