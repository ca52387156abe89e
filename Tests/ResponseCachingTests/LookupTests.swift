import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Synchronization
import Testing

/// Lookups of requests in a memory store over a slower one.
@Suite(.timeLimit(.minutes(5))) struct LookupTests {
  /// A store that counts its lookups.
  private final class Disk: ResponseStore {
    let memory = MemoryStore()
    let lookups = Mutex(0)

    func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
      await lookup(key, requestFields: requestFields).response
    }

    func lookup(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup {
      lookups.withLock { $0 += 1 }
      return await memory.lookup(key, requestFields: requestFields)
    }

    func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool {
      guard !response.isInMemoryOnly else { return false }
      return await memory.store(response, requestFields: requestFields, at: now)
    }

    func remove(_ selection: CacheSelection) async -> Int { await memory.remove(selection) }

    /// Returns the number of lookups since the last call.
    func newLookups() -> Int {
      lookups.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  private let server = ScriptedDispatcher { _, number throws(NetworkError) in
    Response(status: .ok, headerFields: [.vary: "Accept-Language"], bytes: [UInt8(number)])
  }
  private let disk = Disk()

  /// A cache in a process of its own, whose memory is empty.
  private func chain() -> some Dispatcher {
    server.intercepted(by: CachingInterceptor(memory: MemoryStore(), store: disk))
  }

  @Test("A request is looked up once on the disk, whether it is a hit, a miss or a miss with other variants")
  func onDisk() async throws {
    let english = Request.houses(fields: [.acceptLanguage: "en"])
    let first = chain()
    #expect(try await first.dispatch(english).exchange.cache == .forwarded(.uriMiss, stored: true))
    #expect(disk.newLookups() == 1)
    #expect(try await first.dispatch(english).exchange.cache?.isHit == true)
    #expect(disk.newLookups() == 0)
    let second = chain()
    #expect(try await second.dispatch(english).exchange.cache?.isHit == true)
    #expect(disk.newLookups() == 1)
    let german = Request.houses(fields: [.acceptLanguage: "de"])
    #expect(try await chain().dispatch(german).exchange.cache == .forwarded(.varyMiss, stored: true))
    #expect(disk.newLookups() == 1)
    var reload = english
    reload.context.cacheRule.mode = .reload
    #expect(try await second.dispatch(reload).exchange.cache == .forwarded(.request, stored: true))
    #expect(disk.newLookups() == 0)
  }

  /// A store with a lookup that returns only when the test lets it.
  private final class SlowDisk: ResponseStore {
    private let content = MemoryStore()
    private let isHeld = Mutex(false)
    private let (reads, read) = AsyncStream.makeStream(of: Void.self)
    private let (permissions, permission) = AsyncStream.makeStream(of: Void.self)

    /// Makes the next lookup wait after it has read.
    func hold() { isHeld.withLock { $0 = true } }
    /// Waits until a lookup that is held has read.
    func hasRead() async { for await _ in reads { return } }
    func letReturn() { permission.yield() }

    func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
      await lookup(key, requestFields: requestFields).response
    }

    func lookup(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup {
      let found = await content.lookup(key, requestFields: requestFields)
      let isHeld = isHeld.withLock { isHeld in
        defer { isHeld = false }
        return isHeld
      }
      guard isHeld else { return found }
      read.yield()
      for await _ in permissions { break }
      return found
    }

    func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool {
      await content.store(response, requestFields: requestFields, at: now)
    }

    func remove(_ selection: CacheSelection) async -> Int { await content.remove(selection) }
  }

  /// What removes or replaces a stored response.
  enum Change: CaseIterable {
    case wipedAccount, wipedService, wipedAPI, wipedTags, removedAll, written, replaced
  }

  @Test(
    "What is removed or replaced while the disk is read is neither returned nor copied into memory",
    arguments: Change.allCases, [true, false])
  func changedMeanwhile(_ change: Change, hasMemory: Bool) async throws {
    let disk = SlowDisk()
    var tagged = Request.houses(partition: "ada")
    tagged.context.cacheTags = ["houses"]
    let request = tagged
    let first = try await server.intercepted(by: CachingInterceptor(store: disk)).dispatch(request)
    #expect(first.exchange.cache == .forwarded(.uriMiss, stored: true))
    let memory = hasMemory ? MemoryStore() : nil
    let cache = CachingInterceptor(memory: memory, store: disk)
    let chain = server.intercepted(by: cache)
    disk.hold()
    async let overlapping = chain.dispatch(request)
    await disk.hasRead()
    switch change {
    case .wipedAccount: await cache.wipe(partition: "ada")
    case .wipedService: await cache.wipe(service: "estate")
    case .wipedAPI: await cache.wipe(api: APIIdentity(service: "estate", name: "houses.list"))
    case .wipedTags: await cache.wipe(tags: ["houses"])
    case .removedAll: await cache.removeAll()
    case .written: _ = try await chain.dispatch(.houses(partition: "ada", method: .put))
    case .replaced:
      var reload = request
      reload.context.cacheRule.mode = .reload
      _ = try await chain.dispatch(reload)
    }
    if change != .replaced { #expect(memory?.count ?? 0 == 0) }
    disk.letReturn()
    let response = try await overlapping
    #expect(response.exchange.cache?.isHit == (change == .replaced))
    #expect(try await response.body.collect(upTo: 9) != [1])
    #expect(try await chain.dispatch(request).body.collect(upTo: 9) != [1])
  }

  @Test("What isn't concerned by a removal is returned and copied although it was read meanwhile")
  func unchanged() async throws {
    let (disk, memory, request) = (SlowDisk(), MemoryStore(), Request.houses(partition: "ada"))
    _ = try await server.intercepted(by: CachingInterceptor(store: disk)).dispatch(request)
    let cache = CachingInterceptor(memory: memory, store: disk)
    let chain = server.intercepted(by: cache)
    disk.hold()
    async let overlapping = chain.dispatch(request)
    await disk.hasRead()
    await cache.wipe(partition: "bob")
    disk.letReturn()
    let response = try await overlapping
    #expect(response.exchange.cache?.isHit == true)
    #expect(try await response.body.collect(upTo: 9) == [1])
    #expect(memory.count == 1)
  }

  @Test("A miss with other variants is reported as one also if they are in memory only")
  func inMemory() async throws {
    let chain = chain()
    let rule = CacheRule.timed(.seconds(60)).inMemoryOnly()
    _ = try await chain.dispatch(.houses(rule: rule, fields: [.acceptLanguage: "en"]))
    let german = try await chain.dispatch(.houses(rule: rule, fields: [.acceptLanguage: "de"]))
    #expect(german.exchange.cache == .forwarded(.varyMiss, stored: true))
    #expect(disk.memory.count == 0)
    #expect(disk.newLookups() == 2)
  }
}
