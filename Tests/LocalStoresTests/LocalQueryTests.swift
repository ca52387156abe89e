#if SQLite
import Foundation
import Interception
import SwitchyardTesting
import Testing

@testable import LocalStores

@Suite("A query of a local store", .timeLimit(.minutes(5)))
struct LocalQueryTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test(
    "Results are the same whether changes wait or are written: an oracle knows them",
    arguments: 0..<6 as Range<UInt64>)
  func oracle(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let store = try await fixture.stores().store(of: "ada")
    var expected: [Note] = []
    for _ in 0..<60 {
      let (id, home) = (Int.random(in: 0..<12, using: &random), Int.random(in: 0..<5, using: &random))
      let text = ["", "a", "b", "B", "\u{e9}", "ab"].randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        try await store.remove(id, of: Note.drafts)
        // Its place is kept only by the file, and a new one is the last.
        if let index = expected.firstIndex(where: { $0.id == id }) {
          expected.remove(at: index)
          try await store.flush()
        }
      case 1: try await store.flush()
      default:
        let note = Note(id: id, home: home, text: text)
        try await store.put(note, in: Note.drafts)
        if let index = expected.firstIndex(where: { $0.id == id }) {
          expected[index] = note
        } else {
          expected.append(note)
        }
      }
      let limit = [nil, 0, 1, 3, 100].randomElement(using: &random) ?? nil
      let isDescending = Bool.random(using: &random)
      let lower = Bool.random(using: &random) ? Int.random(in: 0..<5, using: &random) : nil
      let upper = Bool.random(using: &random) ? Int.random(in: 0..<5, using: &random) : nil
      let all = LocalQuery(Note.drafts, isDescending: isDescending, limit: limit)
      #expect(try await store.items(all) == Self.cut(expected, isDescending, limit))
      let byHome = LocalQuery(
        Note.drafts, by: Note.byHome, from: lower, through: upper, isDescending: isDescending, limit: limit)
      let within = expected.filter { $0.home >= lower ?? 0 && $0.home <= upper ?? 9 }
      let sorted = Self.sorted(within) { $0.home < $1.home }
      #expect(try await store.items(byHome) == Self.cut(sorted, isDescending, limit))
      let byText = LocalQuery(Note.drafts, by: Note.byText, isDescending: isDescending, limit: limit)
      let texts = Self.sorted(expected.filter { !$0.text.isEmpty }) {
        Array($0.text.utf8).lexicographicallyPrecedes(Array($1.text.utf8))
      }
      #expect(try await store.items(byText) == Self.cut(texts, isDescending, limit))
    }
  }

  private static func sorted(_ notes: [Note], by precedes: (Note, Note) -> Bool) -> [Note] {
    notes.enumerated().sorted {
      precedes($0.element, $1.element)
        || !precedes($1.element, $0.element) && $0.offset < $1.offset
    }.map(\.element)
  }

  private static func cut(_ notes: [Note], _ isDescending: Bool, _ limit: Int?) -> [Note] {
    let ordered = isDescending ? Array(notes.reversed()) : notes
    return limit.map { Array(ordered.prefix($0)) } ?? ordered
  }

  struct Sample: Codable, Identifiable, Sendable {
    var id: Int
    var number = 0.0
    var isRead = false
    var time = Date(timeIntervalSinceReferenceDate: 0)
    var owner = UUID()
    var text = ""

    static let byNumber = LocalIndex("number") { (sample: Sample) in sample.number }
    static let byRead = LocalIndex("read") { (sample: Sample) in sample.isRead }
    static let byTime = LocalIndex("time") { (sample: Sample) in sample.time }
    static let byOwner = LocalIndex("owner") { (sample: Sample) in sample.owner }
    static let byText = LocalIndex("text") { (sample: Sample) in sample.text }

    static func all(_ writeTime: LocalWriteTime) -> LocalCollection<Sample> {
      LocalCollection(
        "samples", indexes: byNumber, byRead, byTime, byOwner, byText, written: writeTime)
    }
  }

  @Test(
    "Every type of an index finds its values, also infinity, a null byte and another form of a letter",
    arguments: [LocalWriteTime.now, .atBackground])
  func types(writeTime: LocalWriteTime) async throws {
    let samples = Sample.all(writeTime)
    let store = try await fixture.stores(LocalSchema(collections: samples)).store(of: "ada")
    let owner = UUID()
    try await store.put(Sample(id: 1, number: .infinity, owner: owner, text: "a\u{0}b"), in: samples)
    try await store.put(Sample(id: 2, number: .nan, isRead: true, text: "a\u{0}c"), in: samples)
    try await store.put(
      Sample(id: 3, number: -5, time: Date(timeIntervalSinceReferenceDate: 1e9), text: "\u{e9}"), in: samples)
    try await store.put(Sample(id: 4, number: -.infinity, time: .distantPast, text: "z"), in: samples)
    func ids<Value: LocalIndexValue>(
      _ index: LocalIndex<Sample, Value>, _ lower: Value? = nil, _ upper: Value? = nil
    ) async throws -> [Int] {
      try await store.items(LocalQuery(samples, by: index, from: lower, through: upper)).map(\.id)
    }
    #expect(try await ids(Sample.byNumber) == [4, 3, 1])
    #expect(try await ids(Sample.byNumber, 0) == [1])
    #expect(try await ids(Sample.byNumber, .nan, nil) == [])
    #expect(try await ids(Sample.byRead, true, true) == [2])
    #expect(try await ids(Sample.byRead, false, false) == [1, 3, 4])
    #expect(try await ids(Sample.byTime, nil, .distantPast) == [4])
    #expect(try await ids(Sample.byTime).last == 3)
    #expect(try await ids(Sample.byOwner, owner, owner) == [1])
    #expect(try await ids(Sample.byText, "a\u{0}b", "a\u{0}b") == [1])
    #expect(try await ids(Sample.byText, "e\u{301}", "e\u{301}") == [3])
    #expect(try await ids(Sample.byText) == [1, 2, 4, 3])
  }

  @Test("An index that is declared later, renamed or removed is computed again without a migration")
  func laterIndexes() async throws {
    let plain = LocalCollection<Note>("notes")
    let one = LocalCollection("notes", indexes: Note.byHome)
    let renamed = LocalCollection("notes", indexes: LocalIndex("home2") { (note: Note) in -note.home })
    func use<Result: Sendable>(
      _ collection: LocalCollection<Note>, _ work: (LocalStore) async throws -> Result
    ) async throws -> Result {
      let stores = fixture.stores(LocalSchema(collections: collection))
      let result = try await work(stores.store(of: "ada"))
      try await stores.close()
      return result
    }
    try await use(plain) { store in
      for id in 1...3 { try await store.put(Note(id: id, home: 10 - id), in: plain) }
    }
    let sorted = try await use(one) { try await $0.items(LocalQuery(one, by: Note.byHome)).map(\.id) }
    #expect(sorted == [3, 2, 1])
    let index = LocalIndex("home2") { (note: Note) in -note.home }
    let reversed = try await use(renamed) { try await $0.items(LocalQuery(renamed, by: index)).map(\.id) }
    #expect(reversed == [1, 2, 3])
    try await use(plain) { store in try await store.put(Note(id: 3, home: 99), in: plain) }
    let last = try await use(one) { try await $0.items(LocalQuery(one, by: Note.byHome)).map(\.id) }
    #expect(last == [2, 1, 3])
  }
}
#endif
