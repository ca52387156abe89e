#if SQLite
import Dispatch
import DurableQueues
import Foundation
import HTTPTypes
import Interception
import Synchronization
import SwitchyardTesting
import Testing

@testable import ResponseCaching
@testable import SQLiteStores

@Suite("Parallel reads of a response store", .timeLimit(.minutes(5)))
struct ParallelReadTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// Tasks that look responses up again and again, until they are stopped.
  private final class Readers: Sendable {
    private let isOver = Atomic(false)
    private let hits = Atomic(0)
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// Starts eight tasks; `check` makes each lookup, and returns what was found.
    init(
      _ store: SQLiteResponseStore, _ numbers: Range<Int>,
      check: @escaping @Sendable (_ number: Int, _ lookup: () async -> [UInt8]?) async -> [UInt8]?
    ) {
      for first in 0..<8 {
        let task = Task { @concurrent in
          var number = first
          while !isOver.load(ordering: .relaxed) {
            number = (number + 3) % numbers.count
            let request = StoreFixture.request(numbers.lowerBound + number)
            let body = await check(numbers.lowerBound + number) { await store.body(request) }
            if body != nil { hits.add(1, ordering: .relaxed) }
            // While one of the tasks always reads, SQLite can't reuse the log.
            try? await Task.sleep(for: .milliseconds(2))  // clock: an app uses what it has read
          }
        }
        tasks.withLock { $0.append(task) }
      }
    }

    /// Waits until some more responses were found.
    func waitForHits(_ count: Int = 50) async throws {
      let enough = hits.load(ordering: .relaxed) + count
      try await waitUntil("more responses were found") { hits.load(ordering: .relaxed) >= enough }
    }

    func stop() async {
      isOver.store(true, ordering: .relaxed)
      for task in tasks.withLock({ $0 }) { await task.value }
    }
  }

  /// The body of a version of a response; each seventh is in a file.
  private static func body(_ number: Int, version: Int = 0) -> [UInt8] {
    StoreFixture.body(number, size: (number.isMultiple(of: 7) ? 70_000 : 3_000) + version)
  }

  private func exists(_ suffix: String) -> Bool {
    FileManager.default.fileExists(atPath: fixture.database.path + suffix)
  }

  @Test("Reads during replacement and eviction return whole responses, and the log stays small")
  func eviction() async throws {
    let limits = SQLiteResponseStore.Limits(bytes: 4 << 20, responses: 100)
    let store = fixture.store(limits)
    for number in 0..<100 { try await store.keep(StoreFixture.request(number), Self.body(number)) }
    let readers = Readers(store, 0..<200) { number, lookup in
      let body = await lookup()
      if let body {
        let isWhole = (0..<4).contains { Data(body) == Data(Self.body(number, version: $0)) }
        #expect(isWhole, "response \(number)")
      }
      return body
    }
    var log = 0
    for version in 1...3 {
      for number in 0..<200 {
        try await store.keep(StoreFixture.request(number), Self.body(number, version: version))
        guard number.isMultiple(of: 10) else { continue }
        #expect(await store.usage().responses <= 100)
        log = max(log, try size(of: fixture.database.path + "-wal"))
      }
      try await readers.waitForHits()
    }
    await readers.stop()
    // About 8 MB are written. A reader that the system doesn't run delays a checkpoint, and on a busy machine
    // several; readers that follow each other never may. Later nothing delays it.
    #expect(log <= limits.bytes)
    // The log is cut by the first write after a checkpoint that no reader delays.
    for number in 0..<400 where try size(of: fixture.database.path + "-wal") > limits.bytes / 10 {
      try await store.keep(StoreFixture.request(number), Self.body(number, version: 4))
    }
    #expect(try size(of: fixture.database.path + "-wal") <= limits.bytes / 10)
    #expect(await store.usage().bytes <= limits.bytes * 11 / 10)
    #expect(fixture.faults.kinds.isEmpty)
  }

  private func size(of path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  @Test("No read that begins after a wipe finds what was stored before, and the files have nothing of it")
  func wipe() async throws {
    let store = fixture.store()
    let isWiped = Flag()
    for round in 0..<10 {
      for number in 0..<30 { try await store.keep(StoreFixture.request(number), Self.body(number)) }
      isWiped.set(false)
      let readers = Readers(store, 0..<30) { number, lookup in
        let wasWiped = isWiped.isSet
        let body = await lookup()
        #expect(body == nil || !wasWiped, "response \(number) in round \(round)")
        if let body { #expect(body == Self.body(number)) }
        return body
      }
      try await readers.waitForHits()
      await store.remove(round.isMultiple(of: 2) ? .all : .partition("anna"))
      isWiped.set()
      #expect(try size(of: fixture.database.path + "-wal") == 0)
      #expect(fixture.bodies.isEmpty)
      for number in 0..<30 { #expect(await store.body(StoreFixture.request(number)) == nil) }
      await readers.stop()
    }
    #expect(fixture.faults.kinds.isEmpty)
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

    func set(_ isSet: Bool = true) { value.store(isSet, ordering: .sequentiallyConsistent) }
  }

  @Test("A store that is closed during reads writes its log back, and finds nothing afterwards")
  func closing() async throws {
    for round in 0..<10 {
      let store = fixture.store()
      for number in 0..<30 { try await store.keep(StoreFixture.request(number), Self.body(number)) }
      let readers = Readers(store, 0..<30) { number, lookup in
        let body = await lookup()
        if let body { #expect(body == Self.body(number), "response \(number) in round \(round)") }
        return body
      }
      try await readers.waitForHits()
      await store.close()
      // The connection that writes was the last one.
      #expect(!exists("-wal") && !exists("-shm"))
      #expect(await store.body(StoreFixture.request(1)) == nil)
      await readers.stop()
    }
    #expect(await fixture.store().body(StoreFixture.request(29)) == Self.body(29))
    #expect(fixture.faults.kinds.isEmpty)
  }

  @Test("A response is found at once after it was stored or replaced, although it isn't written yet")
  func unwritten() async throws {
    let store = fixture.store()
    for number in 0..<200 {
      for version in 0..<2 {
        try await store.keep(StoreFixture.request(number), Self.body(number, version: version))
        #expect(await store.body(StoreFixture.request(number)) == Self.body(number, version: version))
      }
    }
    // A sensitive one is declined, and removes the one that it would have replaced.
    try await store.keep(StoreFixture.request(5), [1], isInMemoryOnly: true)
    #expect(await store.body(StoreFixture.request(5)) == nil)
  }

  @Test("A read doesn't wait for what the store's thread writes, unless it is for the same key")
  func writing() async throws {
    let (isBlocked, mayContinue) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let store = SQLiteResponseStore(directory: fixture.path) { _ in
      isBlocked.signal()
      _ = mayContinue.wait(timeout: .now() + 20)
    }
    for number in 1...7 { try await store.keep(StoreFixture.request(number), Self.body(number)) }
    _ = await store.usage()
    // With a file in its place a large body can't be stored, and the report of it blocks the store's thread.
    let folder = fixture.path + "/bodies"
    try FileManager.default.moveItem(atPath: folder, toPath: folder + "-moved")
    try Data().write(to: URL(filePath: folder))
    try await store.keep(StoreFixture.request(14), Self.body(14))
    let blocking = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: isBlocked.wait(timeout: .now() + 20))
      }
    }
    try #require(blocking == .success, "The store's thread did not report the fault.")
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.moveItem(atPath: folder + "-moved", toPath: folder)
    for _ in 0..<200 {
      for number in 1...7 { #expect(await store.body(StoreFixture.request(number)) == Self.body(number)) }
    }
    #expect(await store.body(StoreFixture.request(99)) == nil)
    try await store.keep(StoreFixture.request(1), [1])
    async let replaced = store.body(StoreFixture.request(1))
    mayContinue.signal()
    #expect(await replaced == [1])
  }

  @Test(
    "Visits that wait are written when the store is closed, and lost without harm if the process is killed")
  func visits() async throws {
    let limits = SQLiteResponseStore.Limits(bytes: 64 << 20, responses: 100)
    let store = fixture.store(limits)
    for number in 0..<20 { try await store.keep(StoreFixture.request(number), [1]) }
    _ = await store.usage()
    // Fewer than are written at once.
    for _ in 0..<3 { for number in 0..<20 { #expect(await store.body(StoreFixture.request(number)) == [1]) } }
    // What a killed process leaves: the database and its log.
    let killed = try StoreFixture()
    try FileManager.default.createDirectory(atPath: killed.path, withIntermediateDirectories: true)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: fixture.database.path + suffix, toPath: killed.database.path + suffix)
    }
    await store.close()
    let (next, afterKill) = (fixture.store(limits), killed.store(limits))
    for number in 0..<20 { #expect(await afterKill.body(StoreFixture.request(number)) == [1]) }
    #expect(await afterKill.fault() == nil)
    try await waitUntil("the stored responses are known") { await next.usage().responses >= 20 }
    for number in 100..<400 { try await next.keep(StoreFixture.request(number), [2]) }
    var kept = 0
    for number in 0..<20 where await next.body(StoreFixture.request(number)) != nil { kept += 1 }
    #expect(kept == 20)
  }

  @Test("A task with an executor of its own reads on Swift's pool, and comes back")
  func ownExecutor() async throws {
    let (store, executor) = (fixture.store(), OneThread())
    try await store.keep(StoreFixture.request(1), Self.body(1))
    await withTaskExecutorPreference(executor) {
      #expect(OneThread.isCurrent)
      let isOnPool = await SQLiteResponseStore.onPool { !OneThread.isCurrent }
      #expect(isOnPool)
      let body = await store.body(StoreFixture.request(1))
      #expect(body == Self.body(1))
      #expect(OneThread.isCurrent)
    }
  }

  private final class OneThread: TaskExecutor {
    private static let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "executor")

    init() { queue.setSpecific(key: Self.key, value: true) }

    /// Whether the calling thread is one of these.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @Test("The hashes in the columns are those that earlier versions have written")
  func columns() {
    let key = StoreFixture.key(StoreFixture.request(1))
    func hash(_ text: String) -> Int64 { Int64(bitPattern: RecordChecksum.of(Array(text.utf8)[...])) }
    let api = hash("6 estatehouses.list")
    let target = Int64(bitPattern: RecordChecksum.of(key.subject.target))
    let parts = [hash("anna"), api, hash("GET")]
    let columns = ResponseColumns(key)
    #expect(columns.partition == hash("anna"))
    #expect(columns.service == hash("estate"))
    #expect(columns.api == api)
    #expect(columns.target == target)
    #expect(columns.subject == hash("\(parts) \(target)"))
  }
}
#endif
