import DNSBypass
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite struct DNSBypassInterceptorTests {
  private static let hosts = [
    "estate.example": ["203.0.114.1", "203.0.114.2", "203.0.114.3"],
    "other.example:8443": ["203.0.114.9:9443"],
  ]

  /// A bypass over a scripted dispatcher; the script receives the address and the number of each request.
  private struct Fixture {
    let server: ScriptedDispatcher
    let bypass: DNSBypassInterceptor
    let clock = TestClock()
    let chain: any Dispatcher

    init(
      hosts: [String: [String]] = hosts, attemptLimit: Int = 4,
      _ script: @escaping @Sendable (String?, Int) throws(NetworkError) -> Response
    ) throws {
      server = ScriptedDispatcher { request, number throws(NetworkError) in
        try script(request.context.connectTarget?.description, number)
      }
      bypass = DNSBypassInterceptor(
        try AddressTable(hosts), attemptLimit: attemptLimit, prober: nil, time: TimeSource(clock))
      chain = server.intercepted(by: bypass)
    }

    /// The addresses used so far; "system" stands for the system's DNS.
    var asked: [String] { server.requests.map { $0.context.connectTarget?.description ?? "system" } }

    func get(_ authority: String = "estate.example", body: RequestBody = .empty) async throws(NetworkError)
      -> Response
    {
      try await chain.dispatch(Request(method: .post, authority: authority, path: "/houses?x=1", body: body))
    }
  }

  private static func connected(in milliseconds: Int, reused: Bool = false) -> Response {
    Response(
      HTTPResponse(status: .ok),
      exchange: Exchange(
        transport: TransportReport(
          phases: .init(connect: reused ? nil : .milliseconds(milliseconds)), connectionWasReused: reused)))
  }

  private static let refused = NetworkError(.connect, "Refused.")

  @Test("E6: A request to a host in the table gets an address, and is otherwise unchanged")
  func target() async throws {
    let fixture = try Fixture { _, _ in Response(status: .ok) }
    _ = try await fixture.get()
    _ = try await fixture.get("other.example:8443")
    let requests = fixture.server.requests
    #expect(
      requests.map(\.context.connectTarget) == [
        ConnectTarget(address: "203.0.114.1"), ConnectTarget(address: "203.0.114.9", port: 9_443),
      ])
    #expect(requests.map(\.head.authority) == ["estate.example", "other.example:8443"])
    #expect(requests[0].head.path == "/houses?x=1")
    #expect(requests[0].head.headerFields == [:])
  }

  @Test(
    "E7: Case is ignored, all ports are covered; other hosts, and requests with a target, are unchanged")
  func matching() async throws {
    let fixture = try Fixture { _, _ in Response(status: .ok) }
    for authority in [
      "ESTATE.Example", "estate.example:443", "estate.example:8443", "www.estate.example", "other.example",
    ] {
      _ = try await fixture.get(authority)
    }
    var own = Request(authority: "estate.example", path: "/")
    own.context.connectTarget = ConnectTarget(address: "198.51.100.1")
    _ = try await fixture.chain.dispatch(own)
    #expect(
      fixture.asked == ["203.0.114.1", "203.0.114.1", "203.0.114.1", "system", "system", "198.51.100.1"])
    #expect(fixture.server.requests[3].options == RequestOptions())
  }

  @Test("E7: Each hop of a redirect is looked up by its own host, and the body is kept")
  func redirects() async throws {
    let follower = InlineInterceptor("Following", stage: .redirects) { request, next in
      var request = request
      while true {
        let response = try await next.dispatch(request)
        guard let location = response.head.headerFields[.location] else { return response }
        request.head.authority = location
      }
    }
    let hops = ["other.example:8443", "elsewhere.example", "estate.example"]
    let fixture = try Fixture { _, number in
      Response(status: .temporaryRedirect, headerFields: number <= 3 ? [.location: hops[number - 1]] : [:])
    }
    let pipeline = try Pipeline(over: fixture.server) {
      follower
      fixture.bypass
    }
    let request = Request(method: .put, authority: "estate.example", path: "/", body: .text("kept"))
    _ = try await pipeline.send(request)
    #expect(fixture.asked == ["203.0.114.1", "203.0.114.9:9443", "system", "203.0.114.1"])
    #expect(fixture.server.requests.allSatisfy { $0.body.bytes == Array("kept".utf8) })
  }

  @Test(
    "E7: If no connection is made, the next address is tried with the same body",
    arguments: [
      NetworkError.Kind.connect, .timeout(.connect), .tls(.nameMismatch), .tls(.handshake), .tls(.untrusted),
      .tls(.expired), .tls(.pinMismatch),
    ])
  func failover(_ kind: NetworkError.Kind) async throws {
    let fixture = try Fixture { address, _ throws(NetworkError) in
      if address != "203.0.114.3" { throw NetworkError(kind, "No connection.") }
      return Response(status: .created)
    }
    #expect(try await fixture.get(body: .text("kept")).status == .created)
    #expect(fixture.asked == ["203.0.114.1", "203.0.114.2", "203.0.114.3"])
    #expect(fixture.server.requests.allSatisfy { $0.body.bytes == Array("kept".utf8) })
    #expect(fixture.bypass.statuses(of: "estate.example").map(\.failures) == [1, 1, 0])
    // Each is reported to an inspector under the host's name.
    let circuits = fixture.bypass.circuits
    #expect(circuits.prefix(2).map(\.failures) == [1, 1])
    #expect(circuits.allSatisfy { $0.name.hasPrefix("estate.example at ") })
    _ = try await fixture.get()
    #expect(fixture.asked.last == "203.0.114.3")
  }

  @Test(
    "A request that may have reached a server, or failed after connecting, is not sent again",
    arguments: [
      NetworkError(.connect, "x", requestMayHaveBeenProcessed: true), NetworkError(.transport, "x"),
      NetworkError(.timeout(.firstByte), "x"), NetworkError(.timeout(.whole), "x"),
      NetworkError(.tls(.handshake), "x", requestMayHaveBeenProcessed: true),
      NetworkError(.cancelled(.task), "x"),
      NetworkError(.rejected, "x"),
      NetworkError(.queueFull, "x"),
    ])
  func noFailover(_ failure: NetworkError) async throws {
    let fixture = try Fixture { _, _ throws(NetworkError) in throw failure }
    let error = await #expect(throws: NetworkError.self) { try await fixture.get() }
    #expect(error?.kind == failure.kind)
    #expect(fixture.asked == ["203.0.114.1"])
    #expect(fixture.bypass.statuses(of: "estate.example").map(\.failures) == [0, 0, 0])
  }

  @Test(
    "If TLS fails at every address, the error is that of the certificate, whatever the system's DNS finds",
    arguments: [NetworkError.Kind.resolve, .connect, .timeout(.connect), .tls(.expired)])
  func certificate(_ system: NetworkError.Kind) async throws {
    let fixture = try Fixture { address, _ throws(NetworkError) in
      throw NetworkError(address == nil ? system : .tls(.expired), "No connection.")
    }
    let error = await #expect(throws: NetworkError.self) { try await fixture.get() }
    #expect(error?.kind == .tls(.expired))
    #expect(fixture.asked == ["203.0.114.1", "203.0.114.2", "203.0.114.3", "system"])
    // The fault is the host's.
    #expect(fixture.bypass.statuses(of: "estate.example").map(\.failures) == [0, 0, 0])
  }

  @Test("The system's DNS is the last resort, under the request's own time limit")
  func systemLast() async throws {
    let fixture = try Fixture { address, _ throws(NetworkError) in
      if address != nil { throw Self.refused }
      return Response(status: .ok)
    }
    _ = try await fixture.get()
    #expect(fixture.asked == ["203.0.114.1", "203.0.114.2", "203.0.114.3", "system"])
    #expect(
      fixture.server.requests.map(\.options.timeouts.connect) == [
        .seconds(3), .seconds(3), .seconds(3), .seconds(10),
      ])
    _ = try await fixture.get()
    #expect(fixture.asked.count == 5 && fixture.asked.last == "system")
    fixture.clock.advance(by: .seconds(30))
    _ = try await fixture.get()
    #expect(fixture.asked[5] == "203.0.114.1")
  }

  @Test("A request's own shorter limit is kept")
  func ownLimit() async throws {
    let fixture = try Fixture { _, _ in Response(status: .ok) }
    var request = Request(authority: "estate.example", path: "/")
    request.options.timeouts.connect = .seconds(1)
    _ = try await fixture.chain.dispatch(request)
    request.options.timeouts.connect = nil
    _ = try await fixture.chain.dispatch(request)
    #expect(fixture.server.requests.map(\.options.timeouts.connect) == [.seconds(1), .seconds(3)])
  }

  @Test("The final error lists every address and its cause, and a dead network counts against none")
  func everythingFails() async throws {
    let fixture = try Fixture { address, _ throws(NetworkError) in
      guard let address else { throw NetworkError(.resolve, "No such name.") }
      throw address == "203.0.114.2" ? NetworkError(.timeout(.connect), "Too slow.") : Self.refused
    }
    let error = try #require(await #expect(throws: NetworkError.self) { try await fixture.get() })
    #expect(error.kind == .connect)
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(error.origin == .interceptor("DNSBypassInterceptor"))
    let failure = try #require(error.underlying(as: BypassError.self))
    #expect(failure.host == "estate.example")
    #expect(
      failure.attempts.map { $0.target?.address } == ["203.0.114.1", "203.0.114.2", "203.0.114.3", nil])
    #expect(failure.attempts.map { $0.error?.kind } == [.connect, .timeout(.connect), .connect, .resolve])
    for part in [
      "[203.0.114.1] connect: Refused.", "[203.0.114.2] timeout_connect: Too slow.",
      "[system DNS] resolve: No such name.",
    ] {
      #expect(error.reason.contains(part))
    }
    #expect(fixture.bypass.statuses(of: "estate.example").map(\.failures) == [0, 0, 0])
    #expect(fixture.bypass.statuses(of: "estate.example").allSatisfy { $0.circuitOpenFor == nil })
  }

  @Test("If all addresses had failed shortly before, an unknown name is reported as a failure to connect")
  func openCircuits() async throws {
    let fixture = try Fixture(hosts: ["estate.example": ["203.0.114.1"]]) {
      address, number throws(NetworkError) in
      if address != nil { throw Self.refused }
      guard number == 2 else { throw NetworkError(.resolve, "No such name.") }
      return Response(status: .ok)
    }
    _ = try await fixture.get()
    let error = await #expect(throws: NetworkError.self) { try await fixture.get() }
    #expect(error?.kind == .connect)
    #expect(fixture.asked == ["203.0.114.1", "system", "system"])
  }

  @Test("The number of addresses per request is limited, and the error names the untried ones")
  func attemptLimit() async throws {
    let fixture = try Fixture(attemptLimit: 2) { _, _ throws(NetworkError) in throw Self.refused }
    let error = await #expect(throws: NetworkError.self) { try await fixture.get() }
    #expect(fixture.asked == ["203.0.114.1", "203.0.114.2", "system"])
    #expect(error?.reason.contains("[203.0.114.3] not tried") == true)
  }

  @Test("With a body that was already read, the error of the first address is reported")
  func spentBody() async throws {
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      _ = try await request.body.open()
      throw Self.refused
    }
    let chain = server.intercepted(by: DNSBypassInterceptor(try AddressTable(Self.hosts)))
    let body = RequestBody.once(length: 1, ScriptedByteSource([[1]]))
    let error = await #expect(throws: NetworkError.self) {
      try await chain.dispatch(Request(method: .post, authority: "estate.example", path: "/", body: body))
    }
    #expect(error?.kind == .connect)
    #expect(server.requests.count == 2)
  }

  @Test("Of the addresses tried, the one that connects fastest is used")
  func learning() async throws {
    let times = ["203.0.114.1": 100, "203.0.114.2": 20, "203.0.114.3": 60]
    let fixture = try Fixture { address, number throws(NetworkError) in
      if number == 2 { throw Self.refused }
      return Self.connected(in: times[address ?? ""] ?? 0, reused: number == 5)
    }
    // Only after a failure of the first address is the second one tried.
    for _ in 1...2 { _ = try await fixture.get() }
    #expect(fixture.asked == ["203.0.114.1", "203.0.114.1", "203.0.114.2"])
    fixture.clock.advance(by: .seconds(31))
    for _ in 1...3 { _ = try await fixture.get() }
    #expect(fixture.asked.suffix(3) == ["203.0.114.2", "203.0.114.2", "203.0.114.2"])
    #expect(
      fixture.bypass.statuses(of: "estate.example").map(\.connectTime) == [
        .milliseconds(100), .milliseconds(20), nil,
      ])
  }

  @Test(
    "A replaced table applies to the next request, and the remaining addresses keep their statuses")
  func replaced() async throws {
    let fixture = try Fixture { address, _ throws(NetworkError) in
      if address == "203.0.114.1" { throw Self.refused }
      return Self.connected(in: 5)
    }
    _ = try await fixture.get()
    fixture.bypass.update(
      try AddressTable(["estate.example": ["203.0.114.1", "203.0.114.2"], "new.example": ["203.0.114.7"]]))
    #expect(fixture.bypass.table.hosts == ["estate.example", "new.example"])
    #expect(fixture.bypass.statuses(of: "estate.example").map(\.failures) == [1, 0])
    for host in ["estate.example", "new.example", "other.example:8443"] { _ = try await fixture.get(host) }
    #expect(fixture.asked.suffix(3) == ["203.0.114.2", "203.0.114.7", "system"])
    fixture.bypass.update(.empty)
    _ = try await fixture.get()
    #expect(fixture.asked.last == "system")
    #expect(fixture.bypass.statuses(of: "estate.example").isEmpty)
  }

  @Test("A dispatcher that can't connect to a given address is refused")
  func requirement() throws {
    let issue = #expect(throws: PipelineIssue.self) {
      try Pipeline(
        over: ScriptedDispatcher(capabilities: []) { _, _ throws(NetworkError) in Response(status: .ok) }
      ) {
        DNSBypassInterceptor(.empty)
      }
    }
    #expect(
      issue?.faults == [
        .missingCapability(.connectTarget, neededBy: "DNSBypassInterceptor", dispatcher: "ScriptedDispatcher")
      ])
  }

  @Test("Requests concurrent with updates use one table or the other", .timeLimit(.minutes(5)))
  func atOnce() async throws {
    let fixture = try Fixture { _, number throws(NetworkError) in
      if number.isMultiple(of: 7) { throw Self.refused }
      return Self.connected(in: number % 50)
    }
    let tables = [
      try AddressTable(Self.hosts), try AddressTable(["estate.example": ["203.0.114.2"]]), .empty,
    ]
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<100 {
            if round % 20 == task { fixture.bypass.update(tables[(round / 20) % 3]) }
            _ = try? await fixture.get()
          }
        }
      }
    }
    #expect(Set(fixture.asked).isSubset(of: ["203.0.114.1", "203.0.114.2", "203.0.114.3", "system"]))
    #expect(fixture.asked.count >= 800)
  }
}
