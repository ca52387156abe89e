#if SQLite
import CommandRunning
import DurableQueues
import Foundation
import HTTPTypes
import Interception
@testable import ResponseCaching
import ResponseStoreConformance
import SQLiteStores
import SwitchyardTesting
import Testing

@Suite("SQLiteResponseStore", .timeLimit(.minutes(5)))
struct SQLiteResponseStoreTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test(
    "A response is the same after the store was closed and opened again",
    arguments: [0, 13, 4_000, 65_536, 65_537, 1 << 20])
  func reopening(size: Int) async throws {
    let (request, body) = (StoreFixture.request(1), StoreFixture.body(1, size: size))
    let fields: HTTPFields = [.eTag: "\"7\"", .contentType: "text/plain"]
    let first = fixture.store()
    #expect(try await first.keep(request, body, fields: fields))
    #expect(await first.body(request) == body)
    await first.close()
    #expect(await first.body(request) == nil)
    let second = fixture.store()
    let stored = await second.response(for: StoreFixture.key(request), requestFields: [:])
    #expect(stored?.body == body)
    #expect(stored?.head.headerFields == fields)
    #expect(await second.usage().responses == 1)
    #expect(await second.fault() == nil)
    #expect(fixture.bodies.count == (size > 65_536 ? 1 : 0))
  }

  @Test("A response replaces the one for the same request, and variants are kept apart")
  func variants() async throws {
    let (german, english) = (
      StoreFixture.request(1, fields: [.acceptLanguage: "de"]),
      StoreFixture.request(1, fields: [.acceptLanguage: "en"])
    )
    let store = fixture.store()
    let vary: HTTPFields = [.vary: "Accept-Language"]
    try await store.keep(german, [1], fields: vary)
    try await store.keep(english, [2], fields: vary)
    #expect(await store.body(german) == [1])
    try await store.keep(german, StoreFixture.body(3, size: 100_000), fields: vary)
    try await store.keep(german, [4], fields: vary)
    #expect(await store.body(german) == [4])
    #expect(await store.body(english) == [2])
    #expect(await store.body(StoreFixture.request(1)) == nil)
    guard case .otherVariants = await store.lookup(StoreFixture.key(german), requestFields: [:]),
      case .nothing = await store.lookup(StoreFixture.key(StoreFixture.request(2)), requestFields: [:])
    else {
      Issue.record("A miss doesn't say whether there are other variants.")
      return
    }
    #expect(await store.usage().responses == 2)
    #expect(fixture.bodies.isEmpty)
    for number in 0..<20 {
      try await store.keep(
        StoreFixture.request(1, fields: [.acceptLanguage: "x-\(number)"]), [9], fields: vary)
    }
    #expect(await store.usage().responses == 8)
  }

  @Test("A response that is too large is declined, and removes the one that it would have replaced")
  func oversize() async throws {
    let store = fixture.store(.init(bytes: 1 << 20, responseBytes: 10_000))
    let request = StoreFixture.request(1)
    #expect(try await store.keep(request, [1]))
    #expect(try await !store.keep(request, [UInt8](repeating: 2, count: 10_000)))
    #expect(await store.body(request) == nil)
  }

  @Test("A response that arrived late doesn't replace a newer one")
  func lateResponse() async throws {
    let (store, request) = (fixture.store(), StoreFixture.request(1))
    try await store.keep(request, [2], fields: [.date: "Sun, 06 Nov 1994 08:49:36 GMT"])
    try await store.keep(request, [1], fields: [.date: "Sun, 06 Nov 1994 08:49:30 GMT"])
    #expect(await store.body(request) == [2])
    try await store.keep(request, [3], fields: [.date: "Sun, 06 Nov 1994 08:49:37 GMT"])
    #expect(await store.body(request) == [3])
  }

  @Test("The store keeps the rules of all stores, alone and under one in memory")
  func conformance() async throws {
    let store = fixture.store()
    let violations = try await ResponseStoreConformance(store).violations()
    #expect(violations == [])
    await store.remove(.all)
    let layered = try await ResponseStoreConformance(store, under: MemoryStore()).violations()
    #expect(layered == [])
  }

  @Test(
    "A wipe leaves nothing of an account in the files: not in free pages, the log or a set-aside database")
  func erasure() async throws {
    let secret = Array("the secret of anna".utf8)
    let body = { (number: Int) in secret + StoreFixture.body(number, size: 3_000) }
    var store = fixture.store()
    for number in 1...20 { try await store.keep(StoreFixture.request(number), body(number)) }
    await store.close()
    // The header is damaged, so that the database is set aside.
    var file = try Data(contentsOf: fixture.database)
    file[0] ^= 1
    try file.write(to: fixture.database)
    store = fixture.store()
    for number in 1...20 { try await store.keep(StoreFixture.request(number), body(number)) }
    // Evicted, replaced and removed ones leave free pages.
    for number in 1...9 { try await store.keep(StoreFixture.request(number), [1]) }
    try await store.keep(StoreFixture.request(1, partition: "bert"), [2])
    #expect(fixture.holds(secret))
    await store.remove(.partition("anna"))
    #expect(!fixture.holds(secret))
    #expect(await store.body(StoreFixture.request(1, partition: "bert")) == [2])
  }

  @Test("The eviction order outlives a restart: what was requested again and again is kept")
  func evictionOrder() async throws {
    let limits = SQLiteResponseStore.Limits(bytes: 64 << 20, responses: 100)
    var store = fixture.store(limits)
    // Twenty responses are requested again, and then not for a while.
    for number in 0..<20 { try await store.keep(StoreFixture.request(number), [1]) }
    for _ in 0..<3 { for number in 0..<20 { _ = await store.body(StoreFixture.request(number)) } }
    for number in 100..<400 { try await store.keep(StoreFixture.request(number), [2]) }
    await store.close()
    store = fixture.store(limits)
    try await waitUntil("the stored responses are known") { await store.usage().responses >= 100 }
    for number in 1_000..<1_085 { try await store.keep(StoreFixture.request(number), [3]) }
    var kept = 0
    for number in 0..<20 where await store.body(StoreFixture.request(number)) != nil { kept += 1 }
    #expect(kept == 20)
  }

  @Test("A sensitive response never reaches the disk, and removes the one that it would have replaced")
  func sensitive() async throws {
    let store = fixture.store()
    let (memory, request) = (MemoryStore(), StoreFixture.request(1))
    let storage = CacheStorage(memory: memory, store: store)
    try await store.keep(request, Array("old".utf8))
    let secret = try StoreFixture.response(request, Array("secret".utf8), isInMemoryOnly: true)
    #expect(await storage.keep(secret, requestFields: [:], since: storage.mark, at: StoreFixture.now()))
    #expect(memory.count == 1)
    #expect(await store.body(request) == nil)
    #expect(await storage.lookup(secret.key, requestFields: [:]).response?.body == secret.body)
    await store.close()
    for file in try FileManager.default.contentsOfDirectory(atPath: fixture.path) where file != "bodies" {
      let content = try Data(contentsOf: URL(filePath: fixture.path + "/" + file))
      #expect(content.range(of: Data("secret".utf8)) == nil, "\(file)")
    }
  }

  @Test("A removal removes what is selected, also what waits to be written, and for the next start")
  func removal() async throws {
    let requests = [
      StoreFixture.request(1), StoreFixture.request(2, partition: "bert"),
      StoreFixture.request(3, service: "agents"), StoreFixture.request(4, api: "houses.detail"),
      StoreFixture.request(5), StoreFixture.request(6),
    ]
    let key = StoreFixture.key(requests[4])
    let cases: [(CacheSelection, Set<Int>)] = [
      (.partition("bert"), [1]), (.service("agents"), [2]),
      (.api(APIIdentity(service: "estate", name: "houses.detail")), [3]), (.key(key), [4]),
      (.target(key.subject.target), [4]), (.subject(key.subject), [4]),
      (.tags(["even"]), [0, 2, 4]), (.tags(["last", "odd", "x"]), [1, 3, 5]), (.all, [0, 1, 2, 3, 4, 5]),
      (.partition("carl"), []),
    ]
    for (selection, removed) in cases {
      let store = fixture.store()
      await store.remove(.all)
      for (number, request) in requests.enumerated() {
        let isEven = number.isMultiple(of: 2)
        try await store.keep(
          request, StoreFixture.body(number, size: isEven ? 9 : 70_000),
          tags: isEven ? ["even"] : ["odd", "last"])
      }
      #expect(await store.remove(selection) == removed.count, "\(selection)")
      await store.close()
      let next = fixture.store()
      for (number, request) in requests.enumerated() {
        #expect(await (next.body(request) == nil) == removed.contains(number), "\(selection) \(number)")
      }
      await next.close()
    }
  }

  @Test("Responses beyond the limits of bytes and number are evicted, also after a restart")
  func limits() async throws {
    let limits = SQLiteResponseStore.Limits(bytes: 4 << 20, responses: 200)
    var store = fixture.store(limits)
    for round in 0..<2 {
      for number in 0..<1_500 {
        let size = number.isMultiple(of: 40) ? 100_000 : number * 7 % 6_000
        try await store.keep(
          StoreFixture.request(round * 10_000 + number), StoreFixture.body(number, size: size))
        guard number.isMultiple(of: 100) else { continue }
        let usage = await store.usage()
        #expect(usage.responses <= 200)
        #expect(usage.bytes <= limits.bytes * 11 / 10, "round \(round), \(number)")
      }
      // Until everything is written: the files that are listed must not be deleted meanwhile.
      _ = await store.usage()
      #expect(try size(of: fixture.folder.url) <= limits.bytes * 11 / 10)
      await store.close()
      store = fixture.store(limits)
    }
    #expect(await store.body(StoreFixture.request(11_499)) == StoreFixture.body(1_499, size: 10_493 % 6_000))
    #expect(await store.usage().responses <= 200)
    #expect(fixture.faults.kinds.isEmpty)
  }

  @Test("Responses that have been stale for too long are removed when others are stored")
  func staleResponses() async throws {
    let store = fixture.store(.init(staleFor: .seconds(100)))
    try await store.keep(StoreFixture.request(1), [1], lifetime: .seconds(60))
    try await store.keep(StoreFixture.request(2), [2], lifetime: .seconds(60), after: 160)
    #expect(await store.body(StoreFixture.request(1)) == [1])
    try await store.keep(StoreFixture.request(3), [3], lifetime: .seconds(600), after: 162)
    // A read of another key doesn't wait for the write that removes them.
    _ = await store.usage()
    #expect(await store.body(StoreFixture.request(1)) == nil)
    #expect(await store.body(StoreFixture.request(3)) == [3])
  }

  @Test("A response that never becomes stale is stored, and a store for no responses declines all")
  func extremes() async throws {
    let store = fixture.store()
    let request = StoreFixture.request(1)
    #expect(try await store.keep(request, [1], lifetime: .seconds(Int64.max)) == true)
    #expect(await store.body(request) == [1])
    await store.close()
    let empty = fixture.store(.init(responses: 0))
    #expect(try await empty.keep(StoreFixture.request(2), [2]) == false)
    #expect(await empty.body(StoreFixture.request(2)) == nil)
  }

  @Test("A directory's path with a null byte is refused, and no directory is created with the name before it")
  func nullByte() async {
    let store = SQLiteResponseStore(directory: fixture.path + "\0.cache")
    let fault = await store.fault()
    #expect(fault?.kind == .unusable)
    #expect(fault?.description.contains("a null byte in its path") == true)
    #expect(!FileManager.default.fileExists(atPath: fixture.path))
  }

  @Test("A directory has one owner; a second store declines everything and says why")
  func secondOwner() async throws {
    let first = fixture.store()
    let request = StoreFixture.request(1)
    // Waits until it has the directory; stores open theirs in the background.
    #expect(await first.fault() == nil)
    let second = fixture.store()
    let fault = await second.fault()
    #expect(fault?.kind == .occupied)
    #expect(fault?.description.contains(fixture.path) == true)
    try await second.keep(request, [2])
    #expect(await second.body(request) == nil)
    #expect(await second.remove(.all) == 0)
    try await first.keep(request, [1])
    #expect(await first.body(request) == [1])
    await first.close()
    let third = fixture.store()
    #expect(await third.body(request) == [1])
    #expect(fixture.faults.kinds == [.occupied])
  }

  @Test("The directory is released with the last reference to its store")
  func release() async throws {
    do {
      let first = fixture.store()
      // Each store opens the directory on its own thread: without this the next one could be earlier.
      #expect(await first.fault() == nil)
      try await first.keep(StoreFixture.request(1), [1])
    }
    // The first store closes its file on its own thread, a moment later.
    while true {
      let next = fixture.store()
      let body = await next.body(StoreFixture.request(1))
      await next.close()
      if body == [1] { break }
    }
  }

  private func size(of folder: URL) throws -> Int {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.fileSizeKey])
    return try (files?.allObjects as? [URL] ?? []).reduce(0) { sum, file in
      let values = try file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
      return sum + (values.isRegularFile == true ? values.fileSize ?? 0 : 0)
    }
  }
}
#endif
