import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Synchronization
import Testing

/// Lookups of requests in a memory store over a slower one.
@Suite struct LookupTests {
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
    server.intercepted(by: CachingInterceptor(store: LayeredStore(memory: MemoryStore(), disk: disk)))
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
