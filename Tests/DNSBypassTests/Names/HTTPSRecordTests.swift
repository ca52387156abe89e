import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import DNSBypass

/// What a resolver does with the HTTPS records of hosts.
@Suite("HTTPS records", .timeLimit(.minutes(5)))
struct HTTPSRecordTests {
  private static let h3: [UInt8] = [0, 1, 0, 3, 2, 0x68, 0x33]
  private static let addresses = "api.test 1"
  private static let records = "api.test 65"

  /// The data of a record.
  private static func data(_ priority: UInt8, _ target: String = "", _ parameters: [UInt8] = Self.h3)
    -> [UInt8]
  {
    [0, priority] + NameMessageBuilder.name(target) + parameters
  }

  /// The answers for a host with an address for five minutes, and an HTTPS record for one.
  private static func answers(_ data: [UInt8] = Self.data(1)) -> [String: [NameMessageBuilder.Record]] {
    [
      addresses: [.address("api.test", [203, 0, 114, 1], seconds: 300)],
      records: [.service("api.test", data, seconds: 60)],
    ]
  }

  private let clock = TestClock()

  private func resolver(
    _ server: NameTableServer, onFault: @escaping @Sendable (NetworkError) -> Void = { _ in }
  ) throws -> HTTPSNameResolver {
    try HTTPSNameResolver(
      "https://dns.test/dns-query", over: server.dispatcher, time: TimeSource(clock), onFault: onFault)
  }

  @Test("L3: A record is asked for beside the addresses, and says where HTTP/3 is spoken until its time ends")
  func found() async throws {
    let server = NameTableServer(Self.answers())
    let resolver = try resolver(server)
    for _ in 0..<2 {
      let origin = try await resolver.origin(at: "API.test", port: 443)
      #expect(origin.targets.map(\.address) == ["203.0.114.1"] && origin.http3Port == 443)
      #expect(Set(server.questions) == ["api.test 1", "api.test 28", "api.test 65"])
      #expect(server.questions.count == 3)
    }
    clock.advance(by: .seconds(60))
    #expect(try await resolver.origin(at: "api.test", port: 443).http3Port == 443)
    #expect(server.questions.count == 4 && server.recordQuestions.count == 2)
    // What needs no record asks for none.
    _ = try await resolver.addresses(of: "api.test")
    #expect(server.questions.count == 4)
  }

  @Test("An origin at another port has records of its own, whose aliases are followed")
  func otherPort() async throws {
    var answers = Self.answers(Self.data(1, "", Self.h3 + [0, 3, 0, 2, 0x20, 0xFB]))
    answers["_8443._https.api.test 65"] = [
      .service("_8443._https.api.test", Self.data(0, "api.test"), seconds: 300)
    ]
    answers["_9443._https.api.test 65"] = [
      .service("_9443._https.api.test", Self.data(1), seconds: 300)
    ]
    answers["_7443._https.api.test 65"] = [
      .service("_7443._https.api.test", Self.data(1, "api.test"), seconds: 300)
    ]
    let server = NameTableServer(answers)
    let resolver = try resolver(server)
    #expect(try await resolver.origin(at: "api.test", port: 8443).http3Port == 8443)
    #expect(server.recordQuestions == ["_8443._https.api.test 65", "api.test 65"])
    // The owner of this one is a name without addresses.
    #expect(try await resolver.origin(at: "api.test", port: 9443).http3Port == nil)
    #expect(try await resolver.origin(at: "api.test", port: 7443).http3Port == 7443)
    // The shortest time on the way counts: that of the alias's target.
    clock.advance(by: .seconds(60))
    #expect(try await resolver.origin(at: "api.test", port: 8443).http3Port == 8443)
    #expect(server.recordQuestions.count == 6)
  }

  @Test("At most four aliases are followed")
  func aliasesInCircle() async throws {
    var answers = Self.answers(Self.data(0, "b.test"))
    answers["b.test 65"] = [.service("b.test", Self.data(0, "api.test"), seconds: 60)]
    let server = NameTableServer(answers)
    let origin = try await resolver(server).origin(at: "api.test", port: 443)
    #expect(origin.targets.count == 1 && origin.http3Port == nil)
    #expect(server.recordQuestions.count == 5)
  }

  @Test(
    "A record of an alias counts if both kinds of addresses are those of the alias", arguments: [true, false])
  func aliasedAddresses(isSame: Bool) async throws {
    let other = isSame ? "edge.test" : "far.test"
    let server = NameTableServer([
      "api.test 1": [
        .alias("api.test", "edge.test", seconds: 60), .address("edge.test", [203, 0, 114, 1], seconds: 60),
      ],
      "api.test 28": [
        .alias("api.test", other, seconds: 60),
        .address(other, [0x20, 0x01, 0x0D, 0xB9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7], seconds: 60),
      ],
      "api.test 65": [
        .alias("api.test", "edge.test", seconds: 60), .service("edge.test", Self.data(1), seconds: 60),
      ],
    ])
    let origin = try await resolver(server).origin(at: "api.test", port: 443)
    #expect(origin.targets.count == 2 && origin.http3Port == (isSame ? 443 : nil))
  }

  @Test("A record that is late delays requests by 50 ms once, and serves the next ones when it has come")
  func late() async throws {
    let server = NameTableServer(Self.answers(), holdsRecords: true)
    let resolver = try resolver(server)
    async let first = resolver.origin(at: "api.test", port: 443)
    try await waitUntil("the record is asked for") { server.recordQuestions.count == 1 }
    try await clock.waitForSleepers()
    clock.advance(by: .milliseconds(49))
    async let second = resolver.origin(at: "api.test", port: 443)
    try await clock.waitForSleepers(2)
    clock.advance(by: .milliseconds(1))
    for origin in [try await first, try await second] {
      #expect(origin.targets.count == 1 && origin.http3Port == nil)
    }
    // The clock stands still: nothing waits any more.
    #expect(try await resolver.origin(at: "api.test", port: 443).http3Port == nil)
    #expect(server.recordQuestions.count == 1)
    server.release()
    try await waitUntil("the record has come") {
      try await resolver.origin(at: "api.test", port: 443).http3Port == 443
    }
    #expect(server.recordQuestions.count == 1)
  }

  @Test("A cancelled request doesn't wait for a record")
  func cancelled() async throws {
    let server = NameTableServer(Self.answers(), holdsRecords: true)
    let resolver = try resolver(server)
    let request = Task { try await resolver.origin(at: "api.test", port: 443).http3Port }
    try await clock.waitForSleepers()
    request.cancel()
    #expect(try await request.value == nil)
    server.release()
  }

  @Test("A failure to get records costs the addresses nothing, and is not repeated for a minute")
  func failures() async throws {
    let malformed = NameMessageBuilder(
      "api.test", records: [.service("api.test", [0, 1, 0, 0, 1, 0, 0], seconds: 9)])
    let failures: [Result<Response, NetworkError>] = [
      .failure(NetworkError(.connect, "It is down.")), .failure(NetworkError(.timeout(.call), "Too long.")),
      .success(Response(status: .notFound)), .success(NameTableServer.response([1, 2, 3])),
      .success(NameTableServer.response(NameMessageBuilder("api.test", flags: 0x8184).bytes)),
      .success(NameTableServer.response(malformed.bytes)),
    ]
    for failure in failures {
      let faults = Mutex(0)
      let server = NameTableServer(Self.answers()) { failure }
      let resolver = try resolver(server) { _ in faults.withLock { $0 += 1 } }
      for (seconds, questions) in [(0, 1), (59, 1), (1, 2)] {
        clock.advance(by: .seconds(seconds))
        let origin = try await resolver.origin(at: "api.test", port: 443)
        #expect(origin.targets.map(\.address) == ["203.0.114.1"] && origin.http3Port == nil)
        #expect(server.recordQuestions.count == questions)
      }
      // The server still answers other questions, and nothing is reported.
      #expect(try await resolver.addresses(of: "b.test").isEmpty)
      #expect(server.questions.contains("b.test 1") && faults.withLock { $0 } == 0)
    }
  }

  @Test("A host without an address, or whose addresses can't be had, is not waited for")
  func noAddresses() async throws {
    var answers = Self.answers()
    answers["api.test 1"] = []
    let server = NameTableServer(answers, holdsRecords: true)
    let origin = try await resolver(server).origin(at: "api.test", port: 443)
    #expect(origin.targets.isEmpty && origin.http3Port == nil)
    let down = ScriptedDispatcher(failing: NetworkError(.connect, "It is down."))
    let failing = try HTTPSNameResolver("https://dns.test/", over: down, time: TimeSource(clock))
    let error = await #expect(throws: NetworkError.self) {
      _ = try await failing.origin(at: "api.test", port: 443)
    }
    #expect(error?.kind == .resolve)
    // In the pause after it, nothing is asked.
    try await waitUntil("all three questions have failed") { down.requests.count == 3 }
    await #expect(throws: NetworkError.self) { _ = try await failing.origin(at: "b.test", port: 443) }
    #expect(down.requests.count == 3)
    await #expect(throws: NetworkError.self) { _ = try await failing.origin(at: "dns.test", port: 443) }
    #expect(down.requests.count == 3)
    server.release()
  }

  @Test("A change of network ends the wait for a record, which is asked for again")
  func networkChange() async throws {
    let server = NameTableServer(Self.answers(), holdsRecords: true)
    let resolver = try resolver(server)
    async let first = resolver.origin(at: "api.test", port: 443)
    try await waitUntil("the record is asked for") { server.recordQuestions.count == 1 }
    try await clock.waitForSleepers()
    resolver.networkDidChange()
    #expect(try await first.http3Port == nil)
    server.release()
    #expect(try await resolver.origin(at: "api.test", port: 443).http3Port == 443)
    #expect(server.recordQuestions.count == 2)
    resolver.networkDidChange()
    #expect(try await resolver.origin(at: "api.test", port: 443).http3Port == 443)
    #expect(server.recordQuestions.count == 3)
  }

  // MARK: The interceptor

  private func bypass(_ server: NameTableServer) throws -> DNSBypassInterceptor {
    DNSBypassInterceptor(
      try AddressTable(["own.test": ["203.0.114.9"]]), resolver: try resolver(server), prober: nil,
      time: TimeSource(clock))
  }

  @Test(
    "L3: Each attempt of a request has the record's port, for the dispatcher that connects to its address")
  func attempts() async throws {
    let dispatcher = ScriptedDispatcher(capabilities: [.connectTarget, .http3Records]) {
      request, _ throws(NetworkError) in
      guard request.connectTarget == nil else { throw NetworkError(.connect, "It is refused.") }
      return Response(status: .ok)
    }
    let bypass = try bypass(NameTableServer(Self.answers()))
    let pipeline = try Pipeline(over: dispatcher) { bypass }
    _ = try await pipeline.send(Request(authority: "api.test", path: "/"))
    #expect(dispatcher.requests.map { $0.connectTarget?.address } == ["203.0.114.1", nil])
    #expect(dispatcher.requests.map(\.http3RecordPort) == [443, 443])
  }

  @Test("Requests that can't use HTTP/3, and hosts of the table, have no record, and none is asked for")
  func unsuitable() async throws {
    let server = NameTableServer(Self.answers())
    let bypass = try bypass(server)
    var upgrade = Request(authority: "api.test", path: "/")
    upgrade.context.upgrade = "websocket"
    var upload = Request(method: .put, authority: "api.test", path: "/", body: .text("text"))
    upload.trailers = RequestTrailers([.eTag]) { [.eTag: "6"] }
    let post = Request(method: .post, authority: "api.test", path: "/", body: .text("text"))
    let requests = [
      Request(scheme: "http", authority: "api.test", path: "/"), Request(authority: "own.test", path: "/"),
      upgrade, upload, post,
    ]
    let able = ScriptedDispatcher(capabilities: [.connectTarget, .http3Records])
    for request in requests { _ = try await able.intercepted(by: bypass).dispatch(request) }
    let unable = ScriptedDispatcher()
    _ = try await unable.intercepted(by: bypass).dispatch(Request(authority: "api.test", path: "/"))
    #expect((able.requests + unable.requests).allSatisfy { $0.http3RecordPort == nil })
    #expect((able.requests + unable.requests).allSatisfy { $0.connectTarget != nil })
    #expect(server.recordQuestions.isEmpty)
  }
}
