import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Synchronization

/// A cache over a scripted server, with both clocks under the test's control.
final class CacheFixture: Sendable {
  let server: ScriptedDispatcher
  let cache: CachingInterceptor
  let store: MemoryStore
  let clock = TestClock()
  let time: TimeSource
  private let chain: any Dispatcher
  private let offset: Offset

  private final class Offset: Sendable { let value = Mutex(Duration.zero) }

  /// The wall clock's start: Sun, 06 Nov 1994 08:49:37 GMT.
  static let start = WallTime(secondsSince1970: 784_111_777)

  init(
    limits: MemoryStore.Limits = MemoryStore.Limits(), volatile: VolatileParts = .standard,
    defaultRule: CacheRule = .off, schema: String = "", sharing: CacheSharing = .private,
    _ script: @escaping ScriptedDispatcher.Script
  ) {
    server = ScriptedDispatcher(script)
    store = MemoryStore(limits: limits)
    let offset = Offset()
    let clock = clock
    time = TimeSource(clock) {
      Self.start.advanced(by: clock.now.offset + offset.value.withLock { $0 })
    }
    self.offset = offset
    cache = CachingInterceptor(
      store: store, volatile: volatile, defaultRule: defaultRule, schema: schema,
      isShared: sharing == .shared,
      time: time
    )
    chain = server.intercepted(by: cache)
  }

  /// Creates a fixture whose server numbers its responses.
  convenience init(
    limits: MemoryStore.Limits = MemoryStore.Limits(), defaultRule: CacheRule = .off,
    fields: HTTPFields = [:], status: HTTPResponse.Status = .ok
  ) {
    self.init(limits: limits, defaultRule: defaultRule) { _, number throws(NetworkError) in
      Response(status: status, headerFields: fields, bytes: Array("response \(number)".utf8))
    }
  }

  /// Moves the wall clock without the steady one.
  func setWallClock(by duration: Duration) { offset.value.withLock { $0 += duration } }

  func send(_ request: Request) async throws(NetworkError) -> Response { try await chain.dispatch(request) }

  func text(_ request: Request) async throws -> String {
    String(decoding: try await send(request).body.collect(upTo: 1 << 20), as: UTF8.self)
  }

  var now: CacheInstant { CacheInstant(time) }
}

extension Request {
  /// A request to an API with a cache rule, by default a GET.
  static func houses(
    _ path: String = "/v1/houses?city=1", rule: CacheRule = .timed(.seconds(60)), partition: String = "",
    method: HTTPRequest.Method = .get, fields: HTTPFields = [:], body: RequestBody = .empty,
    api: APIIdentity? = APIIdentity(service: "estate", name: "houses.list"),
    authority: String = "api.estate.example"
  ) -> Request {
    var request = Request(
      method: method, authority: authority, path: path, headerFields: fields, body: body)
    request.context.cacheRule = rule
    request.context.partition = partition
    request.context.api = api
    return request
  }
}

extension Request {
  /// A request to an API whose responses state how long they are fresh, at most 60 s.
  static func stated(
    _ path: String = "/v1/houses?city=1", partition: String = "", method: HTTPRequest.Method = .get,
    fields: HTTPFields = [:]
  ) -> Request {
    .houses(
      path, rule: .stated(limit: .seconds(60)), partition: partition, method: method, fields: fields)
  }
}

extension HTTPField.Name {
  /// Returns the field name of a known legal text.
  static func named(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .age }
}
