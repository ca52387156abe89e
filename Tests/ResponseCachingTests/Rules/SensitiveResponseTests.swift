import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Synchronization
import Testing

@Suite struct SensitiveResponseTests {
  /// Stands for a store on a disk: it declines responses that are marked as for memory only.
  private final class Disk: ResponseStore {
    private let responses = Mutex<[StoredResponse]>([])

    var isEmpty: Bool { responses.withLock { $0.isEmpty } }

    func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
      responses.withLock { $0.first { $0.key == key && $0.selector.matches(requestFields) } }
    }

    func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool {
      guard !response.isInMemoryOnly else { return false }
      responses.withLock { $0 = [response] }
      return true
    }

    func remove(_ selection: CacheSelection) async -> Int { 0 }
  }

  private static let minute = CacheRule.timed(.seconds(60))

  /// Whether a store on a disk may keep the response to a request.
  private static func isWritten(
    _ request: Request, fields: HTTPFields = [:], defaultRule: CacheRule = .off
  ) async throws -> Bool {
    let disk = Disk()
    let server = ScriptedDispatcher(
      answering: Response(status: .ok, headerFields: fields, bytes: Array("valid".utf8)))
    let cache = CachingInterceptor(store: disk, defaultRule: defaultRule)
    let response = try await server.intercepted(by: cache).dispatch(request)
    #expect(response.exchange.cache == .forwarded(.uriMiss, stored: !disk.isEmpty))
    return !disk.isEmpty
  }

  @Test("D10: A response that the API's validator refuses is not stored, nor one of another schema used")
  func kept() async throws {
    let fixture = CacheFixture { _, number throws(NetworkError) in
      Response(status: .ok, bytes: Array((number == 1 ? "maintenance" : "valid \(number)").utf8))
    }
    var request = Request.houses()
    request.context.storageCheck = CacheRule.StorageCheck { _, bytes in bytes != Array("maintenance".utf8) }
    #expect(try await fixture.send(request).exchange.cache == .forwarded(.uriMiss, stored: false))
    #expect(try await fixture.text(request) == "valid 2")
    #expect(try await fixture.text(request) == "valid 2")

    // A cache with another schema never gets what is in the same store, and the older one still does.
    let newer = CachingInterceptor(store: fixture.store, schema: "7", time: fixture.time)
    let chain = fixture.server.intercepted(by: newer)
    #expect(try await chain.dispatch(request).exchange.cache == .forwarded(.uriMiss, stored: true))
    #expect(try await chain.dispatch(request).body.collect(upTo: 99) == Array("valid 3".utf8))
    #expect(try await fixture.text(request) == "valid 2")
    // A removal removes the responses of all versions.
    #expect(await newer.invalidate(request) == 2)
  }

  @Test("A rule for memory only reaches the store, whether the request or the default rule says so")
  func rules() async throws {
    #expect(try await Self.isWritten(.houses(rule: Self.minute)))
    #expect(try await !Self.isWritten(.houses(rule: Self.minute.inMemoryOnly())))
    #expect(
      try await !Self.isWritten(.houses(rule: Self.minute.with(.reload).inMemoryOnly().with(.useFresh))))
    let sensitive = CacheRule.timed().inMemoryOnly()
    #expect(try await !Self.isWritten(.houses(rule: .inherited), defaultRule: sensitive))
    #expect(try await !Self.isWritten(.houses(rule: .inherited.inMemoryOnly()), defaultRule: .timed()))
  }

  @Test("A response that sets cookies is for memory only")
  func cookies() async throws {
    #expect(try await !Self.isWritten(.houses(partition: "ada"), fields: [.setCookie: "session=1"]))
  }

  @Test("A response to a request with credentials is on a disk only for an account that can be wiped")
  func credentials() async throws {
    for fields: HTTPFields in [[.authorization: "Bearer a"], [.cookie: "session=a"]] {
      #expect(try await !Self.isWritten(.houses(fields: fields)))
      #expect(try await Self.isWritten(.houses(partition: "ada", fields: fields)))
    }
  }
}
