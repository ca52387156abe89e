import BodyCompression
import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import ResponseCaching
import SwitchyardTesting

/// A file of an nginx, and a cache in front of it whose steady clock only the test advances.
final class CachedNginx: Sendable {
  /// A response, and what the cache did.
  struct Result: Sendable {
    let status: HTTPResponse.Status
    let fields: HTTPFields
    let bytes: [UInt8]
    /// Whether the response came from the cache, without a request to nginx.
    let isHit: Bool
    /// Whether nginx confirmed the stored response.
    let isRevalidated: Bool

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private let server: NginxServer
  private let clock = TestClock()
  private let dispatcher = CurlDispatcher()
  private let pipeline: Pipeline
  private let codedPipeline: Pipeline

  /// Starts an nginx.
  ///
  /// - Parameter settings: The settings of the file's location, in nginx's syntax.
  init(_ settings: String) async throws {
    server = try await NginxServer(
      locations: "location /files/ { dav_methods PUT DELETE; create_full_put_path on; \(settings) }")
    // The wall clock is nginx's, whose Date would otherwise make every response old.
    let time = TimeSource(clock) { TimeSource.system.wallTime() }
    let cache = CachingInterceptor(time: time)
    pipeline = try Pipeline(over: dispatcher, time: time) { cache }
    codedPipeline = try Pipeline(over: dispatcher, time: time) {
      cache
      CompressionInterceptor(accepting: [.gzip])
    }
  }

  func advance(by duration: Duration) { clock.advance(by: duration) }

  /// Writes the file without the cache's knowledge, with the time of its last change.
  func put(_ text: String, modified: String) async throws {
    var request = request(.put, [:], .text(text))
    // nginx gives the file the date of the request.
    request.head.headerFields[.date] = modified
    _ = try await dispatcher.dispatch(request)
  }

  /// Loads the file through the cache.
  ///
  /// - Parameter isCoded: Whether nginx is asked for gzip, which is decoded before the cache.
  func get(_ fields: HTTPFields = [:], isCoded: Bool = false) async throws -> Result {
    try await result(of: request(.get, fields), over: isCoded ? codedPipeline : pipeline)
  }

  /// Loads the file without the cache.
  func getDirectly(_ fields: HTTPFields) async throws -> Result {
    try await result(of: request(.get, fields), over: dispatcher)
  }

  /// Sends another request through the cache.
  func send(_ method: HTTPRequest.Method, _ text: String? = nil) async throws -> Result {
    try await result(of: request(method, [:], text.map { .text($0) } ?? .empty), over: pipeline)
  }

  private func request(
    _ method: HTTPRequest.Method, _ fields: HTTPFields, _ body: RequestBody = .empty
  ) -> Request {
    var request = Request(
      method: method, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/files/file.txt",
      headerFields: fields, body: body)
    request.context.cacheRule = .stated()
    return request
  }

  private func result(of request: Request, over dispatcher: some Dispatcher) async throws -> Result {
    let response = try await dispatcher.dispatch(request)
    let isFromNginx = response.exchange.attempts > 0
    let isStored = response.exchange.cache?.isHit ?? false
    return Result(
      status: response.status, fields: response.head.headerFields,
      bytes: try await response.body.collect(upTo: 1 << 20), isHit: !isFromNginx,
      isRevalidated: isFromNginx && isStored)
  }
}
