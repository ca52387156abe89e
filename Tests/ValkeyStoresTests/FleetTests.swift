import HTTPTypes
import Interception
import LoopbackServing
import RequestSigning
import ResponseCaching
import SwitchyardTesting
import Testing

@testable import ValkeyStores

/// Four servers of a fleet with one Redis, of which one server and Redis are killed and started again under
/// load.
@Suite(.enabled(if: RedisServer.runsSuites), .serialized, .timeLimit(.minutes(5)))
struct FleetTests {
  /// What happens in the middle of a wave of requests.
  private enum Event: CaseIterable {
    case nothing
    case serverRestarts
    case redisRestarts
  }

  private static let servers = 4
  private static let requests = 200
  private static let inFlight = 16

  private let redis: RedisServer
  private let clock = TestClock()
  private let time: TimeSource

  init() async throws {
    redis = try await RedisServer()
    let start = WallTime(secondsSince1970: 1_700_000_000)
    time = TimeSource(clock) { [clock] in start.advanced(by: clock.now.offset) }
  }

  private var configuration: ValkeyConfiguration {
    var configuration = ValkeyConfiguration(host: "127.0.0.1", port: redis.port)
    // A loaded machine is no fault of Redis.
    configuration.commandTimeout = .seconds(30)
    configuration.connectTimeout = .seconds(30)
    return configuration
  }

  /// Sends requests, a number of them at a time, and lets the event happen once half of them have ended.
  private func wave(
    _ event: Event, restartServer: @escaping @Sendable (Int) -> Void,
    _ send: @escaping @Sendable (Int) async -> Void
  ) async throws {
    let ended = WaitableValue(0)
    async let happening: Void = {
      try await ended.wait { $0 >= Self.requests / 2 }
      switch event {
      case .nothing: break
      case .serverRestarts: restartServer(Int.random(in: 0..<Self.servers))
      case .redisRestarts:
        try await redis.kill()
        try await redis.start()
        // Beyond the delay before the next attempt to connect.
        clock.advance(by: .seconds(3))
      }
    }()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<Self.requests {
        if number >= Self.inFlight { await group.next() }
        group.addTask {
          await send(number)
          ended.update { $0 += 1 }
        }
      }
    }
    try await happening
  }

  @Test(
    "H11: Over restarts of servers and of Redis, a fleet accepts no replay, and refuses only for a window")
  func verifiers() async throws {
    let key = try SigningKey(id: "fleet", secret: Array(0..<32))
    let (configuration, time) = (configuration, time)
    let server: @Sendable () -> SharedSignatureVerifier = {
      SharedSignatureVerifier(
        SignatureVerifier(keys: SigningKeys(key), time: time),
        nonces: ValkeyNonceStore(configuration, time: time), ifUnavailable: .failClosed,
        ifForgotten: .failClosed
      ) { _, _ in }
    }
    let fleet = WaitableValue((0..<Self.servers).map { _ in server() })
    @Sendable func outcome(_ request: SignedRequest, at number: Int) async -> SignatureError? {
      let server = fleet.value[number]
      do throws(SignatureError) {
        try await server.verify(request)
        return nil
      } catch { return error }
    }
    @Sendable func request(_ low: UInt64) throws -> SignedRequest {
      var head = HTTPRequest(method: .get, scheme: "https", authority: "api.estate.example", path: "/houses")
      let nonce = Nonce(high: 0, low: low)
      let fields = try RequestSigner(key: key).sign(head, body: [], at: time.wallTime(), nonce: nonce)
      for field in fields { head.headerFields.append(field) }
      return SignedRequest(head, body: [])
    }
    // The first use of an empty Redis begins a window.
    _ = await outcome(try request(.max), at: 0)
    clock.advance(by: .seconds(605))

    for (wave, event) in [Event.nothing, .serverRestarts, .redisRestarts, .serverRestarts].enumerated() {
      let acceptances = WaitableValue([Int](repeating: 0, count: Self.requests))
      let refusals = WaitableValue(Set<String>())
      let genuine = try (0..<Self.requests).map { try request(UInt64(wave * Self.requests + $0)) }
      try await self.wave(event, restartServer: { number in fleet.update { $0[number] = server() } }) {
        number in
        // The original to one server, and at the same time its replays to the others.
        await withTaskGroup(of: Void.self) { group in
          for offset in 0..<Self.servers {
            group.addTask {
              switch await outcome(genuine[number], at: (number + offset) % Self.servers) {
              case nil: acceptances.update { $0[number] += 1 }
              case .replayedNonce: break
              case .unavailableNonces(let fault): refusals.update { _ = $0.insert("\(fault.kind)") }
              case .some(let other): refusals.update { _ = $0.insert("\(other)") }
              }
            }
          }
        }
      }
      // Every one of them again, to a server that may have been started meanwhile.
      for number in 0..<Self.requests where await outcome(genuine[number], at: number % Self.servers) == nil {
        acceptances.update { $0[number] += 1 }
      }
      let counts = acceptances.value
      #expect(counts.allSatisfy { $0 <= 1 }, "A replay was accepted in wave \(wave).")
      if event == .redisRestarts {
        #expect(counts.contains(0), "Redis lost its nonces, and no request was refused.")
        #expect(refusals.value.isSubset(of: ["unreachable", "forgotten", "timedOut"]))
      } else {
        #expect(counts.allSatisfy { $0 == 1 }, "A genuine request was refused in wave \(wave).")
        #expect(refusals.value == [])
      }
      // No request of before is valid any more.
      clock.advance(by: .seconds(605))
    }
  }

  @Test("Over restarts of servers and of Redis, a shared cache returns each request its own current response")
  func responses() async throws {
    let versions = WaitableValue([String: Int]())
    let origin = ScriptedDispatcher { request, _ throws(NetworkError) in
      let path = request.head.path ?? ""
      guard request.head.method == .get else {
        versions.update { $0[path, default: 0] += 1 }
        return Response(status: .noContent)
      }
      let version = versions.value[path, default: 0]
      let language = request.head.headerFields[.acceptLanguage] ?? ""
      return Response(
        status: .ok, headerFields: [.cacheControl: "public, max-age=86400", .vary: "Accept-Language"],
        bytes: Array("\(path) \(language) \(version)".utf8))
    }
    let (configuration, time) = (configuration, time)
    let server: @Sendable () throws(PipelineIssue) -> Pipeline = { () throws(PipelineIssue) in
      let store = ValkeyResponseStore(configuration, time: time)
      let caching = CachingInterceptor(store: store, defaultRule: .stated(), isShared: true, time: time)
      return try Pipeline(over: origin) { caching }
    }
    let spares = try (0..<Self.servers).map { _ in try server() }
    let fleet = WaitableValue(try (0..<Self.servers).map { _ in try server() })
    let wrong = WaitableValue([String]())
    let hits = WaitableValue(0)

    for event in [Event.nothing, .serverRestarts, .redisRestarts, .nothing, .serverRestarts] {
      try await wave(event, restartServer: { number in fleet.update { $0[number] = spares[number] } }) {
        number in
        let (path, language) = ("/homes/\(number % 10)", ["de", "en"][number / 10 % 2])
        let request = Request(
          authority: "api.estate.example", path: path, headerFields: [.acceptLanguage: language])
        let server = fleet.value[number % Self.servers]
        let expected = "\(path) \(language) \(versions.value[path, default: 0])"
        do {
          let response = try await server.send(request)
          if response.exchange.cache?.isHit == true { hits.update { $0 += 1 } }
          let text = String(decoding: try await response.body.collect(upTo: 1 << 10), as: UTF8.self)
          if text != expected { wrong.update { $0.append("\(text) instead of \(expected)") } }
        } catch {
          wrong.update { $0.append("\(error)") }
        }
      }
      // Between the waves: a load that is in flight during a write may store what was before.
      for number in 0..<5 {
        var write = Request(authority: "api.estate.example", path: "/homes/\(number)")
        write.head.method = .put
        let server = fleet.value[number % Self.servers]
        #expect(try await server.send(write).status == .noContent)
      }
    }
    #expect(wrong.value == [])
    #expect(hits.value > Self.requests)
  }
}
