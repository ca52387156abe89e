import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import RequestSigning

@Suite struct SigningInterceptorTests {
  private let clock = WallClock()
  private let keys: SigningKeys

  init() throws { keys = SigningKeys(try Signed.key()) }

  /// Numbers the nonces consecutively, so that tests can predict them.
  private final class Counter: Sendable {
    private let last = Mutex<UInt64>(0)
    func next() -> Nonce {
      Nonce(
        high: 0,
        low: last.withLock {
          $0 += 1; return $0
        })
    }
  }

  /// A server with its own clock that verifies each request.
  private func server(
    _ keys: SigningKeys, clock: WallClock, window: Duration = .seconds(300)
  ) -> ScriptedDispatcher {
    let verifier = SignatureVerifier(
      keys: keys, window: window, start: WallTime(secondsSince1970: 0), time: clock.time)
    let time = clock.time
    return ScriptedDispatcher { request, _ throws(NetworkError) in
      let body = try await request.body.collect(upTo: 1 << 20)
      let date = HTTPFields([HTTPField(name: .date, value: HTTPDate.format(time.wallTime()))])
      do throws(SignatureError) {
        try verifier.verify(SignedRequest(request.head, body: body))
        return Response(status: .ok, headerFields: date)
      } catch {
        return Response(status: error.status, headerFields: date, bytes: Array("\(error)".utf8))
      }
    }
  }

  private func interceptor(_ keys: SigningKeys, maximumSkew: Duration = .seconds(86_400))
    -> SigningInterceptor
  {
    let counter = Counter()
    return SigningInterceptor(
      keys: keys, maximumSkew: maximumSkew, time: clock.time, nonces: { counter.next() })
  }

  private func request(_ body: RequestBody = .text("price=1")) -> Request {
    var request = Request(
      method: .post, authority: "API.estate.example", path: "/v1/houses?city=sh&page=2",
      headerFields: [.authorization: "Bearer t0ken"], body: body)
    request.context.api = APIIdentity(service: "estate", name: "houses.save")
    return request
  }

  static let bodies: [(String, RequestBody)] = [
    ("none", .empty), ("bytes", .text("price=1")),
    (
      "restartable",
      .restartable(length: nil) { ScriptedByteSource([Array("pri".utf8), Array("ce=1".utf8)]) }
    ),
  ]

  @Test("C6: The verifier accepts signed requests with any kind of replayable body", arguments: bodies)
  func accepted(_ kind: String, _ body: RequestBody) async throws {
    let dispatcher = server(keys, clock: clock)
    let pipeline = try Pipeline(over: dispatcher) { interceptor(keys) }
    let response = try await pipeline.send(request(body))
    #expect(response.status == .ok)
    #expect(dispatcher.requests.count == 1)
    #expect(dispatcher.requests[0].head.headerFields[SignatureFields.api] == "estate/houses.save")
  }

  @Test("C6: A file is hashed as it is sent, whole or in part")
  func file() async throws {
    let dispatcher = server(keys, clock: clock)
    let pipeline = try Pipeline(over: dispatcher) { interceptor(keys) }
    for range in [nil, 10..<200_000 as Range<Int64>] {
      let folder = try TemporaryFolder(prefix: "signing")
      let file = folder.url.appending(path: "body")
      try Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: file)
      let response = try await pipeline.send(request(.file(file.path, range: range)))
      #expect(response.status == .ok)
    }
  }

  @Test("C6: A body changed after signing is refused by the server")
  func changedAfterwards() async throws {
    let pipeline = try Pipeline(over: server(keys, clock: clock)) {
      interceptor(keys)
      InlineInterceptor("Vandal", stage: .compression) { request, next in
        var request = request
        request.body = .text("price=0")
        return try await next.dispatch(request)
      }
    }
    #expect(try await pipeline.send(request()).status == .unauthorized)
  }

  @Test("A verifier with a short window accepts a client that knows the window and whose clock is wrong")
  func shortWindow() async throws {
    let ahead = WallClock()
    ahead.set(Signed.now.advanced(by: .seconds(100)))
    let dispatcher = server(keys, clock: ahead, window: .seconds(30))
    for (window, status, count) in [(30, 200, 2), (300, 401, 3)] {
      let pipeline = try Pipeline(over: dispatcher) {
        SigningInterceptor(keys: keys, verifierWindow: .seconds(window), time: clock.time)
      }
      #expect(try await pipeline.send(request()).status.code == status)
      #expect(dispatcher.requests.count == count)
    }
  }

  @Test("B5: Each attempt is signed with its own time and nonce, and accepted")
  func attempts() async throws {
    let dispatcher = server(keys, clock: clock)
    let pipeline = try Pipeline(over: dispatcher) {
      InlineInterceptor("TwiceOver", stage: .retry) { [clock] request, next in
        _ = try await next.dispatch(request)
        clock.set(Signed.now.advanced(by: .seconds(7)))
        return try await next.dispatch(request.asAttempt(2))
      }
      interceptor(keys)
    }
    #expect(try await pipeline.send(request()).status == .ok)
    let sent = dispatcher.requests.map(\.head.headerFields)
    #expect(
      sent.map { $0[SignatureFields.nonce] }
        == [Nonce(high: 0, low: 1), Nonce(high: 0, low: 2)].map(\.description))
    #expect(sent.map { $0[SignatureFields.time] } == ["1700000000", "1700000007"])
    #expect(sent.allSatisfy { $0[values: SignatureFields.signature].count == 1 })
  }

  @Test("C7: A replayed request is refused by the server")
  func replay() async throws {
    let dispatcher = server(keys, clock: clock)
    let pipeline = try Pipeline(over: dispatcher) {
      interceptor(keys)
    }
    _ = try await pipeline.send(request())
    let replayed = try await dispatcher.dispatch(dispatcher.requests[0])
    #expect(replayed.status == .unauthorized)
    #expect(
      try await String(decoding: replayed.body.collect(upTo: 1_000), as: UTF8.self).contains(
        "received before"))
  }

  @Test(
    "A wrong clock is corrected after a refusal, and the request is sent again",
    arguments: [-7_200, 7_200, 86_000])
  func learns(_ skew: Int64) async throws {
    let dispatcher = server(keys, clock: WallClock(Signed.now.advanced(by: .seconds(skew))))
    let pipeline = try Pipeline(over: dispatcher) { interceptor(keys) }
    #expect(try await pipeline.send(request()).status == .ok)
    #expect(dispatcher.requests.count == 2)
    #expect(try await pipeline.send(request()).status == .ok)
    #expect(dispatcher.requests.count == 3, "The offset isn't applied to the next request.")
  }

  @Test(
    "A skew beyond the limit isn't corrected, and the request isn't sent again",
    arguments: [
      (90_000, 86_400), (7_200, 0),
    ] as [(Int64, Int64)])
  func learnsNot(_ skew: Int64, _ limit: Int64) async throws {
    let dispatcher = server(keys, clock: WallClock(Signed.now.advanced(by: .seconds(skew))))
    let pipeline = try Pipeline(over: dispatcher) { interceptor(keys, maximumSkew: .seconds(limit)) }
    #expect(try await pipeline.send(request()).status == .unauthorized)
    #expect(dispatcher.requests.count == 1)
  }

  @Test("A request that keeps being refused is sent at most twice")
  func permanentRefusal() async throws {
    let date = HTTPDate.format(Signed.now.advanced(by: .seconds(3_600)))
    let dispatcher = ScriptedDispatcher(answering: Response(status: .forbidden, headerFields: [.date: date]))
    let pipeline = try Pipeline(over: dispatcher) { interceptor(keys) }
    #expect(try await pipeline.send(request()).status == .forbidden)
    #expect(dispatcher.requests.count == 2)
    #expect(try await pipeline.send(request()).status == .forbidden)
    #expect(dispatcher.requests.count == 3)
  }

  @Test("Clock offsets are kept per server")
  func offsetPerServer() async throws {
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      let isWrong = request.head.authority == "late.example"
      let date = HTTPDate.format(Signed.now.advanced(by: .seconds(isWrong ? 3_600 : 0)))
      return Response(status: .unauthorized, headerFields: [.date: date])
    }
    let pipeline = try Pipeline(over: dispatcher) { interceptor(keys) }
    _ = try await pipeline.send(Request(authority: "late.example", path: "/"))
    _ = try await pipeline.send(Request(authority: "right.example", path: "/"))
    #expect(
      dispatcher.requests.map { $0.head.headerFields[SignatureFields.time] } == [
        "1700000000", "1700003600", "1700000000",
      ])
  }

  @Test("A body that can be read only once is refused before anything is sent")
  func oneShotBody() async throws {
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) { interceptor(keys) }
    let error = await #expect(throws: NetworkError.self) {
      try await pipeline.send(request(.once(length: 1, ScriptedByteSource([[1]]))))
    }
    #expect(error?.kind == .bodyNotReplayable)
    #expect(error?.origin == .interceptor("SigningInterceptor"))
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("An error thrown while hashing the body reaches the caller, and the body is cancelled")
  func failingBody() async throws {
    let source = ScriptedByteSource([[1]], endingWith: NetworkError(.transport, "The disk is gone."))
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) { interceptor(keys) }
    let error = await #expect(throws: NetworkError.self) {
      try await pipeline.send(request(.restartable(length: 2) { source }))
    }
    #expect(error?.kind == .transport)
    #expect(source.isCancelled)
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("Existing signature fields are replaced")
  func existingFields() async throws {
    let dispatcher = server(keys, clock: clock)
    let pipeline = try Pipeline(over: dispatcher) { interceptor(keys) }
    var request = Request(authority: "api.estate.example", path: "/")
    for name in SignatureFields.all { request.head.headerFields[name] = "forged" }
    #expect(try await pipeline.send(request).status == .ok)
    #expect(!dispatcher.requests[0].head.headerFields.contains { $0.value == "forged" })
    #expect(!dispatcher.requests[0].head.headerFields.contains(SignatureFields.api))
  }

  private struct Choosy: SigningKeySource {
    let key: SigningKey
    func signingKey(for request: Request) async throws -> SigningKey? {
      request.head.authority == "api.estate.example" ? key : nil
    }
  }

  @Test("A request without a key is sent unsigned")
  func withoutKey() async throws {
    let dispatcher = ScriptedDispatcher()
    let signing = SigningInterceptor(keys: Choosy(key: try Signed.key()), time: clock.time)
    let pipeline = try Pipeline(over: dispatcher) { signing }
    _ = try await pipeline.send(Request(authority: "stranger.example", path: "/"))
    _ = try await pipeline.send(Request(authority: "api.estate.example", path: "/"))
    let isSigned = dispatcher.requests.map { $0.head.headerFields.contains(SignatureFields.signature) }
    #expect(isSigned == [false, true])
  }

  private struct Locked: SigningKeySource {
    struct Failure: Error, CustomStringConvertible { let description = "keychain said s3cr3t" }
    func signingKey(for request: Request) async throws -> SigningKey? { throw Failure() }
  }

  @Test("C8: The error for a failing key source names its type and doesn't quote it")
  func sourceFails() async throws {
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) { SigningInterceptor(keys: Locked()) }
    let error = await #expect(throws: NetworkError.self) {
      try await pipeline.send(Request(authority: "a.example", path: "/"))
    }
    #expect(error?.kind == .rejected)
    #expect(error?.reason.contains("Failure") == true)
    #expect(error.map { "\($0)" }?.contains("s3cr3t") == false)
    #expect(error?.underlying(as: Locked.Failure.self) != nil)
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("A request without an authority is refused with a remedy")
  func withoutAuthority() async throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher()) { interceptor(keys) }
    let error = await #expect(throws: NetworkError.self) {
      try await pipeline.send(Request(HTTPRequest(method: .get, scheme: "https", authority: nil, path: "/")))
    }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("authority") == true)
  }
}
