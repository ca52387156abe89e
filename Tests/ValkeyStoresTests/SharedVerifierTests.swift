import HTTPTypes
import Interception
import LoopbackServing
import RequestSigning
import SwitchyardTesting
import Synchronization
import Testing

@testable import ValkeyStores

/// Two servers of a fleet that verify signatures and share one Redis.
@Suite(.enabled(if: RedisServer.runsSuites), .serialized, .timeLimit(.minutes(5)))
struct SharedVerifierTests {
  private let redis: RedisServer
  private let key: SigningKey
  private let clock = TestClock()
  private let reports = Reports()

  private final class Reports: Sendable {
    private let entries = Mutex<[String]>([])
    func add(_ error: NonceStoreError, _ policy: NonceStorePolicy) {
      entries.withLock { $0.append("\(error.kind) \(policy)") }
    }
    func take() -> [String] {
      entries.withLock { entries in
        defer { entries = [] }
        return entries
      }
    }
  }

  init() async throws {
    redis = try await RedisServer()
    key = try SigningKey(id: "fleet", secret: Array(0..<32))
  }

  private func server(_ policy: NonceStorePolicy, time: WallTime) -> SharedSignatureVerifier {
    var configuration = ValkeyConfiguration(host: "127.0.0.1", port: redis.port)
    configuration.commandTimeout = .seconds(30)
    return SharedSignatureVerifier(
      SignatureVerifier(keys: SigningKeys(key), time: TimeSource(clock, wall: { time })),
      nonces: ValkeyNonceStore(configuration, time: TimeSource(clock)), ifUnavailable: policy,
      ifForgotten: policy
    ) { [reports] in reports.add($0, $1) }
  }

  private func request(_ low: UInt64, at time: WallTime) throws -> SignedRequest {
    var head = HTTPRequest(method: .get, scheme: "https", authority: "api.estate.example", path: "/houses")
    let fields = try RequestSigner(key: key).sign(head, body: [], at: time, nonce: Nonce(high: 0, low: low))
    for field in fields { head.headerFields.append(field) }
    return SignedRequest(head, body: [])
  }

  private func outcome(_ server: SharedSignatureVerifier, _ request: SignedRequest) async -> SignatureError? {
    do throws(SignatureError) {
      try await server.verify(request)
      return nil
    } catch { return error }
  }

  private func isUnavailable(_ error: SignatureError?, _ kind: NonceStoreError.Kind) -> Bool {
    if case .unavailableNonces(let fault)? = error { return fault.kind == kind && error?.status.code == 503 }
    return false
  }

  private static let past = WallTime(secondsSince1970: 1_699_990_000)
  private static let now = WallTime(secondsSince1970: 1_700_000_000)

  @Test("H11: A fleet shares its nonces; the loss of Redis refuses requests by failClosed, and is reported")
  func failClosed() async throws {
    _ = await outcome(server(.failOpen, time: Self.past), try request(0, at: Self.past))
    #expect(reports.take() == ["forgotten failOpen"], "The first use was not reported.")
    let (first, second) = (server(.failClosed, time: Self.now), server(.failClosed, time: Self.now))
    let original = try request(1, at: Self.now)
    #expect(await outcome(first, original) == nil)
    #expect(await outcome(second, original) == .replayedNonce)
    #expect(await outcome(second, try request(2, at: Self.now)) == nil)
    #expect(await outcome(first, try request(2, at: Self.now)) == .replayedNonce)
    #expect(reports.take() == [])

    try await redis.kill()
    #expect(isUnavailable(await outcome(second, original), .unreachable))
    #expect(isUnavailable(await outcome(first, try request(3, at: Self.now)), .unreachable))
    #expect(reports.take() == ["unreachable failClosed", "unreachable failClosed"])

    try await redis.start()
    clock.advance(by: .seconds(3))
    #expect(isUnavailable(await outcome(second, original), .forgotten), "A replay was accepted.")
    #expect(isUnavailable(await outcome(first, try request(4, at: Self.now)), .forgotten))
    #expect(reports.take() == ["forgotten failClosed", "forgotten failClosed"])
    let later = Self.now.advanced(by: .seconds(302))
    let (third, fourth) = (server(.failClosed, time: later), server(.failClosed, time: later))
    #expect(await outcome(third, try request(5, at: later)) == nil)
    #expect(await outcome(fourth, try request(5, at: later)) == .replayedNonce)
    #expect(reports.take() == [])
  }

  @Test("H11: By failOpen requests are accepted while Redis is gone, and each one is reported")
  func failOpen() async throws {
    _ = await outcome(server(.failOpen, time: Self.past), try request(0, at: Self.past))
    _ = reports.take()
    let (first, second) = (server(.failOpen, time: Self.now), server(.failOpen, time: Self.now))
    let original = try request(1, at: Self.now)
    #expect(await outcome(first, original) == nil)
    #expect(await outcome(second, original) == .replayedNonce)
    try await redis.kill()
    #expect(await outcome(second, original) == nil)
    #expect(reports.take() == ["unreachable failOpen"])
    try await redis.start()
    clock.advance(by: .seconds(3))
    #expect(await outcome(second, original) == nil)
    #expect(reports.take() == ["forgotten failOpen"])
    #expect(await outcome(first, original) == .replayedNonce, "The nonce was not recorded.")
    #expect(reports.take() == [])
  }

  @Test("H11: A request that fails verification doesn't reach the store")
  func invalidSignature() async throws {
    try await redis.kill()
    let server = server(.failOpen, time: Self.now)
    #expect(isUnavailable(await outcome(server, try request(1, at: Self.past)), .unreachable) == false)
    #expect(reports.take() == [])
  }
}
