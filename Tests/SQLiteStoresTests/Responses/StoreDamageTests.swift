#if SQLite
import Foundation
import GRDB
import HTTPTypes
import Interception
import ResponseCaching
import SQLiteStores
import Testing

@Suite("Damage of a response store", .timeLimit(.minutes(5)))
struct StoreDamageTests {
  private let fixture: StoreFixture
  private static let count = 24

  init() throws { fixture = try StoreFixture() }

  /// Fills a store with small and large bodies, and closes it, so that the log is in the database.
  private func fill() async throws {
    let store = fixture.store()
    for number in 0..<Self.count {
      try await store.keep(StoreFixture.request(number), Self.body(number), fields: [.eTag: "\"\(number)\""])
    }
    await store.close()
  }

  private static func body(_ number: Int) -> [UInt8] {
    StoreFixture.body(number, size: number.isMultiple(of: 12) ? 70_000 : 50 + number * 900)
  }

  /// The number of responses that a store has; each one must be intact.
  private func hits(_ store: SQLiteResponseStore, _ comment: String) async -> Int {
    var hits = 0
    for number in 0..<Self.count {
      guard let body = await store.body(StoreFixture.request(number)) else { continue }
      hits += 1
      // As data, because a debug build compares arrays slowly.
      #expect(Data(body) == Data(Self.body(number)), "\(comment), response \(number)")
    }
    return hits
  }

  @Test("D6: A flipped byte of the database costs misses, but never changes a response")
  func database() async throws {
    try await fill()
    let original = try Data(contentsOf: fixture.database)
    let bodies = try fixture.bodies.map { ($0, try Data(contentsOf: $0)) }
    var random = SystemRandomNumberGenerator()
    // Samples of the header, of the kinds of pages, and of the rest, which differ from run to run.
    let pages = Array(stride(from: 0, to: original.count, by: 4_096))
    var positions = Array((0..<100).shuffled(using: &random).prefix(30))
    positions += pages.shuffled(using: &random).prefix(30)
    positions += (0..<40).map { _ in Int.random(in: 0..<original.count, using: &random) }
    var misses = 0
    for position in positions {
      var changed = original
      changed[position] ^= UInt8.random(in: 1...255, using: &random)
      try changed.write(to: fixture.database)
      let store = fixture.store()
      misses += Self.count - (await hits(store, "byte \(position)"))
      #expect(try await store.keep(StoreFixture.request(99), [9]) == true)
      await store.close()
      for suffix in ["-wal", "-journal", ".damaged"] {
        try? FileManager.default.removeItem(at: URL(filePath: fixture.database.path + suffix))
      }
      // The store has removed those of damaged rows.
      for (file, body) in bodies { try body.write(to: file) }
    }
    #expect(misses > 0)
    // At most one damaged database with its log is kept.
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path)
    #expect(names.filter { $0.contains(".damaged-") && !$0.contains("-wal") }.count <= 1)
  }

  @Test("A body file that was changed, cut, extended, exchanged or deleted is a miss")
  func bodyFiles() async throws {
    for fault in 0..<6 {
      try await fill()
      let files = fixture.bodies
      #expect(files.count == 2)
      for (index, file) in files.enumerated() {
        var body = try Data(contentsOf: file)
        switch fault {
        case 0: body[body.count / 2] ^= 1
        case 1: body.removeLast()
        case 2: body.append(0)
        case 3: body = Data(repeating: 7, count: body.count)
        case 4: body = try Data(contentsOf: files[1 - index])
        default: break
        }
        if fault == 4, index == 1 { continue }
        try FileManager.default.removeItem(at: file)
        if fault < 5 { try body.write(to: file) }
      }
      let store = fixture.store()
      let expected = fault == 4 ? Self.count - 1 : Self.count - 2
      #expect(await hits(store, "fault \(fault)") == expected)
      await store.remove(.all)
      await store.close()
    }
  }

  @Test("A file that is no database is moved away and reported, and only the last one is kept")
  func setAside() async throws {
    for round in 1...3 {
      try await fill()
      try Data(repeating: UInt8(round), count: 20_000).write(to: fixture.database)
      let store = fixture.store()
      #expect(await store.fault() == nil)
      #expect(await hits(store, "round \(round)") == 0)
      try await store.keep(StoreFixture.request(1), [1])
      #expect(await store.body(StoreFixture.request(1)) == [1])
      await store.close()
      #expect(fixture.bodies.isEmpty)
      let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path)
      #expect(names.filter { $0.contains(".damaged-") }.count == 1)
      #expect(fixture.faults.kinds == Array(repeating: .damaged, count: round))
    }
  }

  @Test("A row that can't be deleted is no longer used, and costs no other response")
  func failedDelete() async throws {
    try await fill()
    // Deleting the row fails as on a full disk: the error is none of the database's.
    let trigger = """
      CREATE TRIGGER failure BEFORE DELETE ON response WHEN old.id = 3 BEGIN SELECT zeroblob(2147483647); END
      """
    let queue = try DatabaseQueue(path: fixture.database.path)
    try await queue.write { try $0.execute(sql: trigger) }
    try queue.close()
    let store = fixture.store()
    #expect(await hits(store, "before") == Self.count)
    // The third row is that of the request with the number 2.
    #expect(try await store.keep(StoreFixture.request(2), [9]))
    #expect(await store.body(StoreFixture.request(2)) == nil)
    #expect(await hits(store, "after") == Self.count - 1)
    #expect(fixture.faults.kinds.contains(.unusable))
    try await store.keep(StoreFixture.request(50), [5])
    #expect(await store.body(StoreFixture.request(50)) == [5])
    #expect(await store.usage().responses == Self.count)
  }

  /// What of a store is deleted while it is open.
  enum Deleted: String, CaseIterable { case directory, database, bodies }

  @Test(
    "A directory that is deleted is reported and made again; nothing wrong is returned",
    arguments: Deleted.allCases)
  func deletedDirectory(_ deleted: Deleted) async throws {
    let store = fixture.store()
    try await store.keep(StoreFixture.request(0), Self.body(0))
    try await store.keep(StoreFixture.request(1), Self.body(1))
    _ = await store.usage()
    let path =
      switch deleted {
      case .directory: fixture.path
      case .database: fixture.database.path
      case .bodies: fixture.path + "/bodies"
      }
    try FileManager.default.removeItem(atPath: path)
    #expect(await hits(store, "before storing") <= 2)
    for number in 2..<6 { try await store.keep(StoreFixture.request(number), Self.body(number)) }
    #expect(await store.fault() == nil)
    #expect(await hits(store, "after storing") >= 4)
    let large = [UInt8](repeating: 7, count: 200_000)
    try await store.keep(StoreFixture.request(60), large)
    #expect(await store.body(StoreFixture.request(60)) == large)
    #expect(fixture.faults.kinds == (deleted == .bodies ? [] : [.deleted]))
    await store.close()
    let next = fixture.store()
    #expect(await hits(next, "the next start") >= 4)
    #expect(await next.body(StoreFixture.request(60)) == large)
  }

  @Test("What was removed after the directory was deleted or replaced stays removed")
  func removedAfterReplacing() async throws {
    let store = fixture.store()
    try await store.keep(StoreFixture.request(0), Self.body(0))
    await store.close()
    let copy = fixture.path + "-copy"
    try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
    let open = fixture.store()
    #expect(await hits(open, "before") == 1)
    try FileManager.default.removeItem(atPath: fixture.path)
    try FileManager.default.moveItem(atPath: copy, toPath: fixture.path)
    #expect(await open.remove(.all) == 1)
    #expect(await hits(open, "after the removal") == 0)
    await open.close()
    #expect(await hits(fixture.store(), "the next start") == 0)
  }

  @Test("A closed store says so")
  func closed() async throws {
    let store = fixture.store()
    await store.close()
    #expect(await store.fault()?.kind == .closed)
  }

  @Test("A database of another program is left alone")
  func foreignDatabase() async throws {
    try FileManager.default.createDirectory(atPath: fixture.path, withIntermediateDirectories: true)
    let tables = "PRAGMA application_id = 7; CREATE TABLE other (id INTEGER)"
    try await DatabaseQueue(path: fixture.database.path).write { try $0.execute(sql: tables) }
    let before = try Data(contentsOf: fixture.database)
    let store = fixture.store()
    #expect(await store.fault()?.kind == .foreign)
    try await store.keep(StoreFixture.request(1), [1])
    #expect(await store.body(StoreFixture.request(1)) == nil)
    #expect(try Data(contentsOf: fixture.database) == before)
  }

  @Test("Bodies that a killed process has left without a row are deleted at the next start")
  func orphans() async throws {
    try await fill()
    let folder = fixture.path + "/bodies/"
    let orphan = String(repeating: "0123456789abcdef", count: 2)
    try Data([1]).write(to: URL(filePath: folder + orphan))
    try Data([1]).write(to: URL(filePath: folder + orphan + ".part"))
    try Data([1]).write(to: URL(filePath: folder + "notes.txt"))
    let store = fixture.store()
    for _ in 0..<3 { _ = await store.usage() }
    #expect(await hits(store, "orphans") == Self.count)
    let names = Set(fixture.bodies.map(\.lastPathComponent))
    #expect(names.count == 3)
    #expect(names.contains("notes.txt"))
  }
}
#endif
