#if SQLite
import CommandRunning
import Foundation
import GRDB
import Interception
import NonceStoreConformance
import RequestSigning
import SQLiteStores
import Testing

@Suite(.timeLimit(.minutes(5))) struct SQLiteNonceStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(prefix: "nonces") }

  private var path: String { folder.url.appending(path: "nonces.sqlite").path }

  private func store(maximumBytes: Int = 1 << 30, lockTimeout: Duration = .seconds(60)) throws
    -> SQLiteNonceStore
  {
    try SQLiteNonceStore(path: path, maximumBytes: maximumBytes, lockTimeout: lockTimeout)
  }

  /// Claims a nonce of the past, so that the file's nonces are complete since long before the next claims.
  private func begin(_ store: SQLiteNonceStore) async {
    let past = NonceStoreCase.now.advanced(by: .seconds(-86_400))
    _ = await store.claim(NonceStoreCase.claim(1 << 40, now: past))
  }

  private func kind(_ verdict: NonceVerdict) -> NonceStoreError.Kind? {
    guard case .unavailable(let error) = verdict else { return nil }
    return error.kind
  }

  @Test("H11: The store conforms to the rules of nonce stores", arguments: NonceStoreCase.allCases)
  func conformance(_ rule: NonceStoreCase) async throws {
    let (first, second) = (try store(), try store())
    await begin(first)
    #expect(await rule.violations(first: first, second: second) == [])
  }

  @Test("Nonces survive the end of the process")
  func persistence() async throws {
    do {
      let store = try store()
      await begin(store)
      #expect(await store.claim(NonceStoreCase.claim(1)) == .claimed)
    }
    let store = try store()
    #expect(await store.claim(NonceStoreCase.claim(1)) == .known)
    #expect(await store.claim(NonceStoreCase.claim(2)) == .claimed)
  }

  @Test("A new file records a request that could have been accepted before, but doesn't claim it")
  func newFile() async throws {
    let store = try store()
    #expect(kind(await store.claim(NonceStoreCase.claim(1))) == .forgotten)
    #expect(await store.claim(NonceStoreCase.claim(1)) == .known)
    let later = NonceStoreCase.now.advanced(by: .seconds(302))
    #expect(await store.claim(NonceStoreCase.claim(2, now: later)) == .claimed)
  }

  @Test("Expired nonces are removed, and a clock that is set back doesn't admit them again")
  func expiry() async throws {
    let store = try store()
    await begin(store)
    for low in 0..<50 as Range<UInt64> { _ = await store.claim(NonceStoreCase.claim(low)) }
    let later = NonceStoreCase.now.advanced(by: .seconds(602))
    #expect(await store.claim(NonceStoreCase.claim(100, now: later)) == .claimed)
    let count = try await DatabaseQueue(path: path).read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM nonce")
    }
    #expect(count == 1)
    #expect(kind(await store.claim(NonceStoreCase.claim(1))) == .forgotten)
  }

  @Test("A file that another process locks fails in time, and works again afterwards")
  func locked() async throws {
    let store = try store(lockTimeout: .milliseconds(20))
    await begin(store)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    #expect(kind(await store.claim(NonceStoreCase.claim(1))) == .timedOut)
    try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(await store.claim(NonceStoreCase.claim(1)) == .claimed)
  }

  @Test("A full file refuses nonces, and remembers those that it has")
  func full() async throws {
    let store = try store(maximumBytes: 1 << 17)
    await begin(store)
    var claimed: UInt64 = 0
    while await store.claim(NonceStoreCase.claim(claimed)) == .claimed, claimed < 100_000 { claimed += 1 }
    #expect((100..<100_000).contains(claimed))
    #expect(kind(await store.claim(NonceStoreCase.claim(claimed))) == .full)
    #expect(await store.claim(NonceStoreCase.claim(0)) == .known)
  }

  @Test("A file that was replaced is noticed")
  func replaced() async throws {
    let store = try store()
    await begin(store)
    #expect(await store.claim(NonceStoreCase.claim(1)) == .claimed)
    try FileManager.default.removeItem(atPath: path)
    #expect(kind(await store.claim(NonceStoreCase.claim(1))) == .unreachable)
    try Data().write(to: URL(filePath: path))
    #expect(kind(await store.claim(NonceStoreCase.claim(2))) == .unreachable)
  }

  @Test("A value of another type is reported as damage of the file")
  func otherType() async throws {
    let store = try store()
    await begin(store)
    try await DatabaseQueue(path: path).write { database in
      try database.execute(sql: "UPDATE completeness SET since = 'x'")
    }
    guard case .unavailable(let error) = await store.claim(NonceStoreCase.claim(1)) else {
      Issue.record("the claim succeeded")
      return
    }
    #expect(error.kind == .malformed)
    #expect(error.description.contains("is damaged; delete it (SQLite 11)"))
  }

  @Test("A file that isn't an SQLite file, or whose folder doesn't exist, is refused with a remedy")
  func malformed() throws {
    try Data(repeating: 1, count: 10_000).write(to: URL(filePath: path))
    let damaged = #expect(throws: NonceStoreError.self) { try store() }
    #expect(damaged?.kind == .malformed)
    let missing = #expect(throws: NonceStoreError.self) { try SQLiteNonceStore(path: path + "/none/x") }
    #expect(missing?.kind == .unreachable)
    #expect(missing?.description.contains("check the folder") == true)
  }

  @Test(
    "A planted file is refused by name, and what it leads to is not written",
    arguments: ["", "-wal", "-shm", "-journal"], PlantedFile.allCases)
  func planted(ending: String, plant: PlantedFile) throws {
    let precious = folder.url.appending(path: "precious").path
    try plant.make(at: path + ending, precious: precious)
    let before = try Data(contentsOf: URL(filePath: precious))
    let error = #expect(throws: NonceStoreError.self) { try store() }
    #expect(error?.kind == .refused)
    #expect(error?.description.contains("\"\(path + ending)\"") == true)
    #expect(error?.description.contains(plant.rawValue) == true)
    #expect(try Data(contentsOf: URL(filePath: precious)) == before)
    #expect(!FileManager.default.fileExists(atPath: precious + ".none"))
  }

  @Test("A new file can be read by its owner only, and has a log")
  func permissions() async throws {
    let store = try store()
    await begin(store)
    for name in [path, path + "-wal"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: name)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    withExtendedLifetime(store) {}
  }

  @Test("A path with a null byte is refused, and no file is created with the name before it")
  func nullByte() {
    let error = #expect(throws: NonceStoreError.self) { try SQLiteNonceStore(path: path + "\0.sqlite") }
    #expect(error?.kind == .unreachable)
    #expect(error?.description == "The path of the nonce store contains a null byte; remove it.")
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
#endif
