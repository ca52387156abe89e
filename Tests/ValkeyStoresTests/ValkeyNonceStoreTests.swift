import Interception
import LoopbackServing
import NonceStoreConformance
import RequestSigning
import SwitchyardTesting
import Testing

@testable import ValkeyStores

/// The store on a real server.
@Suite(.enabled(if: RedisServer.runsSuites), .serialized, .timeLimit(.minutes(5)))
struct ValkeyNonceStoreTests {
  private let clock = TestClock()

  private func configuration(_ port: Int, password: String? = nil) -> ValkeyConfiguration {
    var configuration = ValkeyConfiguration(host: "127.0.0.1", port: port, password: password)
    // A loaded machine is no fault of the server.
    configuration.commandTimeout = .seconds(30)
    configuration.connectTimeout = .seconds(30)
    return configuration
  }

  /// Creates a store whose delays elapse only when the test advances the clock.
  private func store(_ configuration: ValkeyConfiguration) -> ValkeyNonceStore {
    ValkeyNonceStore(configuration, time: TimeSource(clock), random: { 0 })
  }

  /// Claims a nonce of the past, so that the server's nonces are complete since long before the next claims.
  private func begin(_ store: ValkeyNonceStore) async {
    let past = NonceStoreCase.now.advanced(by: .seconds(-86_400))
    _ = await store.claim(NonceStoreCase.claim(1 << 40, now: past))
  }

  private func kind(_ verdict: NonceVerdict) -> NonceStoreError.Kind? {
    guard case .unavailable(let error) = verdict else { return nil }
    return error.kind
  }

  @Test("H11: The store conforms to the rules of nonce stores", arguments: NonceStoreCase.allCases)
  func conformance(_ rule: NonceStoreCase) async throws {
    let server = try await RedisServer()
    let (first, second) = (store(configuration(server.port)), store(configuration(server.port)))
    await begin(first)
    #expect(await rule.violations(first: first, second: second) == [])
  }

  @Test("A nonce is forgotten by the server after its expiry")
  func expiry() async throws {
    let server = try await RedisServer()
    let store = store(configuration(server.port))
    await begin(store)
    let claim = NonceStoreCase.claim(1)
    #expect(await store.claim(claim) == .claimed)
    let key = "switchyard:nonce:app-1:\(claim.nonce)"
    let milliseconds = try #require(Int(try await server.run("PTTL", key).split(separator: "\n")[0]))
    #expect((500_000...600_001).contains(milliseconds))
    let expired = NonceClaim(
      keyID: "app-1", nonce: Nonce(high: 0, low: 2), now: claim.now, earliestUse: claim.earliestUse,
      expiry: claim.now.advanced(by: .seconds(-1)))
    #expect(await store.claim(expired) == .claimed)
    // It is stored for one millisecond, which two round trips of another program exceed.
    try await waitUntil("the nonce has expired") {
      try await !server.run("EXISTS", "switchyard:nonce:app-1:\(expired.nonce)").hasPrefix("1")
    }
    #expect(await store.claim(expired) == .claimed)
  }

  @Test("H11: Without a server, claims fail, and the store connects again after the delay")
  func unreachable() async throws {
    let server = try await RedisServer()
    let store = store(configuration(server.port))
    await begin(store)
    #expect(await store.claim(NonceStoreCase.claim(1)) == .claimed)
    try await server.kill()
    #expect(kind(await store.claim(NonceStoreCase.claim(2))) == .unreachable)
    try await server.start()
    #expect(kind(await store.claim(NonceStoreCase.claim(2))) == .unreachable, "The delay was ignored.")
    clock.advance(by: .milliseconds(51))
    #expect(kind(await store.claim(NonceStoreCase.claim(2))) == .forgotten)
  }

  @Test(
    "H11: A server that is killed and restarted empty is noticed, and its nonces count again one window later"
  )
  func restartedEmpty() async throws {
    let server = try await RedisServer()
    let store = store(configuration(server.port))
    await begin(store)
    #expect(await store.claim(NonceStoreCase.claim(1)) == .claimed)
    try await server.kill()
    try await server.start()
    // The idle connection was closed, so the store connects again without a failed claim.
    #expect(kind(await store.claim(NonceStoreCase.claim(1))) == .forgotten, "A replay was accepted.")
    #expect(await store.claim(NonceStoreCase.claim(1)) == .known)
    let later = NonceStoreCase.now.advanced(by: .seconds(302))
    #expect(await store.claim(NonceStoreCase.claim(2, now: later)) == .claimed)
    #expect(await store.claim(NonceStoreCase.claim(2, now: later)) == .known)
  }

  @Test("H11: A server that is emptied over an open connection is noticed by every client")
  func emptied() async throws {
    let server = try await RedisServer()
    let (first, second) = (store(configuration(server.port)), store(configuration(server.port)))
    await begin(first)
    #expect(await first.claim(NonceStoreCase.claim(1)) == .claimed)
    #expect(await second.claim(NonceStoreCase.claim(2)) == .claimed)
    try await server.run("FLUSHALL")
    #expect(kind(await second.claim(NonceStoreCase.claim(1))) == .forgotten)
    #expect(kind(await first.claim(NonceStoreCase.claim(2))) == .forgotten)
    #expect(kind(await first.claim(NonceStoreCase.claim(3))) == .forgotten)
  }

  @Test("H11: A server that doesn't reply is given up after the time limit, and its late reply is ignored")
  func slow() async throws {
    let server = try await RedisServer()
    var configuration = configuration(server.port)
    let store = store(configuration)
    await begin(store)
    configuration.commandTimeout = .milliseconds(500)
    let impatient = self.store(configuration)
    #expect(await impatient.claim(NonceStoreCase.claim(1)) == .claimed)
    server.pause()
    #expect(kind(await impatient.claim(NonceStoreCase.claim(2))) == .timedOut)
    #expect(kind(await impatient.claim(NonceStoreCase.claim(3))) == .timedOut, "It did not fail at once.")
    server.resume()
    // The server executes what it received before.
    #expect(await store.claim(NonceStoreCase.claim(4)) == .claimed)
    #expect(await store.claim(NonceStoreCase.claim(3)) == .claimed)
    var verdict = NonceVerdict.known
    repeat {
      clock.advance(by: .seconds(3))
      verdict = await impatient.claim(NonceStoreCase.claim(4))
    } while kind(verdict) == .timedOut
    #expect(verdict == .known)
  }

  @Test("H11: A full server refuses nonces, and claims succeed once it has memory again")
  func full() async throws {
    let server = try await RedisServer(arguments: ["--maxmemory-policy", "noeviction"])
    let store = store(configuration(server.port))
    await begin(store)
    #expect(await store.claim(NonceStoreCase.claim(1)) == .claimed)
    try await server.run("CONFIG", "SET", "maxmemory", "1")
    #expect(kind(await store.claim(NonceStoreCase.claim(2))) == .full)
    #expect(await store.claim(NonceStoreCase.claim(1)) == .known)
    #expect(kind(await self.store(configuration(server.port)).claim(NonceStoreCase.claim(2))) == .full)
    try await server.run("CONFIG", "SET", "maxmemory", "0")
    #expect(await store.claim(NonceStoreCase.claim(2)) == .claimed)
    #expect(await store.claim(NonceStoreCase.claim(1)) == .known)
  }

  @Test("H11: A server that may evict keys is refused", arguments: ["allkeys-lru", "volatile-ttl"])
  func evicting(_ policy: String) async throws {
    let server = try await RedisServer(arguments: ["--maxmemory", "100mb", "--maxmemory-policy", policy])
    let verdict = await store(configuration(server.port)).claim(NonceStoreCase.claim(1))
    #expect(kind(verdict) == .unsuitable)
    #expect("\(verdict)".contains(policy))
  }

  @Test("H11: A wrong or missing password is refused without being quoted")
  func password() async throws {
    let server = try await RedisServer(password: "c0rrect")
    for password in ["wr0ng", nil] {
      let verdict = await store(configuration(server.port, password: password)).claim(NonceStoreCase.claim(1))
      #expect(kind(verdict) == .refused)
      #expect("\(verdict)".contains("check the user name and password"))
      #expect(!"\(verdict)".contains("wr0ng"))
    }
    var configuration = configuration(server.port, password: "c0rrect")
    configuration.username = "default"
    configuration.database = 3
    let store = store(configuration)
    await begin(store)
    #expect(await store.claim(NonceStoreCase.claim(1)) == .claimed)
    // The marker, the nonce of the past and this one.
    #expect(try await server.run("-n", "3", "DBSIZE").hasPrefix("3"))
    configuration.database = 99
    #expect(kind(await self.store(configuration).claim(NonceStoreCase.claim(1))) == .refused)
  }

  @Test("Stores with different prefixes are independent")
  func prefixes() async throws {
    let server = try await RedisServer()
    var configuration = configuration(server.port)
    let first = store(configuration)
    configuration.keyPrefix = "other:"
    let second = store(configuration)
    for store in [first, second] {
      await begin(store)
      #expect(await store.claim(NonceStoreCase.claim(1)) == .claimed)
    }
  }

  @Test("A claim that waits for connecting times out, and a port without a server is unreachable")
  func connecting() async throws {
    let hole = try BlackHole()
    var configuration = configuration(hole.port)
    configuration.connectTimeout = .milliseconds(50)
    let verdict = await store(configuration).claim(NonceStoreCase.claim(1))
    #expect(kind(verdict) == .unreachable)
    let closed = try ClosedPort()
    #expect(kind(await store(self.configuration(closed.port)).claim(NonceStoreCase.claim(1))) == .unreachable)
    #expect(kind(await store(self.configuration(70_000)).claim(NonceStoreCase.claim(1))) == .unreachable)
  }

  @Test("Beyond the maximum number of waiting claims, a claim fails immediately")
  func overloaded() async throws {
    let server = try await RedisServer()
    var configuration = configuration(server.port)
    configuration.maximumWaitingClaims = 8
    let store = store(configuration)
    await begin(store)
    server.pause()
    let verdicts = await withTaskGroup(of: NonceVerdict.self) { group in
      for low in 0..<300 as Range<UInt64> { group.addTask { await store.claim(NonceStoreCase.claim(low)) } }
      var verdicts: [NonceVerdict] = []
      for await verdict in group {
        verdicts.append(verdict)
        if verdicts.count == 1 { server.resume() }
      }
      return verdicts
    }
    #expect(verdicts.contains { kind($0) == .overloaded })
    #expect(verdicts.allSatisfy { $0 == .claimed || kind($0) == .overloaded })
    #expect(await store.claim(NonceStoreCase.claim(1_000)) == .claimed)
  }

  @Test("Releasing the store closes its connection and ends its thread")
  func release() async throws {
    let server = try await RedisServer()
    do {
      let store = store(configuration(server.port))
      await begin(store)
      #expect(try await server.run("CLIENT", "LIST").split(separator: "\n").count == 2)
    }
    // The thread ends after the release.
    try await waitUntil("the store's connection is closed") {
      try await server.run("CLIENT", "LIST").split(separator: "\n").count == 1
    }
  }
}
