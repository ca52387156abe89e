import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import DNSBypass

@Suite("HTTPSNameResolver")
struct HTTPSNameResolverTests {
  private typealias Message = NameMessageBuilder

  private let clock = TestClock()
  private static let name = "api.test"

  /// Answers each question from a table of addresses; a host without an entry doesn't exist.
  private static func response(
    to request: Request, _ hosts: [String: [[UInt8]]], seconds: UInt32 = 60
  ) -> Response {
    let isVersion6 = isForVersion6(request)
    let addresses = (hosts[name] ?? []).filter { ($0.count == 16) == isVersion6 }
    let message = Message(name, records: addresses.map { .address(name, $0, seconds: seconds) })
    return Response(
      status: .ok, headerFields: [.contentType: "application/dns-message"], bytes: message.bytes)
  }

  private static func isForVersion6(_ request: Request) -> Bool {
    let query = NameMessage.query(name, .version6).map { Self.text($0) }
    return request.head.path?.hasSuffix(query ?? "?") == true
  }

  /// The bytes as a parameter has them.
  private static func text(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - UInt8($0)) & 1 } }
    while !bits.count.isMultiple(of: 6) { bits.append(0) }
    return String(
      stride(from: 0, to: bits.count, by: 6).map { start in
        alphabet[Int(bits[start..<(start + 6)].reduce(0) { $0 << 1 | $1 })]
      })
  }

  private func resolver(
    over dispatcher: ScriptedDispatcher, allowing ranges: Set<SpecialAddressRange> = []
  ) throws -> HTTPSNameResolver {
    try HTTPSNameResolver(
      "https://dns.test/dns-query", over: dispatcher, allowing: ranges, time: TimeSource(clock))
  }

  private func addresses(_ resolver: HTTPSNameResolver) async throws -> [String] {
    try await resolver.addresses(of: Self.name).map(\.address)
  }

  @Test("Both kinds of addresses are asked for, as RFC 8484 says, and come in turn")
  func addresses() async throws {
    let hosts: [String: [[UInt8]]] = [
      Self.name: [
        [203, 0, 114, 1], [203, 0, 114, 2],
        [0x20, 0x01, 0x0D, 0xB9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7],
      ]
    ]
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      Self.response(to: request, hosts)
    }
    let resolver = try resolver(over: dispatcher)
    #expect(try await addresses(resolver) == ["2001:db9::7", "203.0.114.1", "203.0.114.2"])
    let requests = dispatcher.requests
    #expect(requests.count == 2 && requests.allSatisfy { $0.head.method == .get })
    #expect(requests.allSatisfy { $0.head.headerFields[.accept] == "application/dns-message" })
    let expected = [NameMessage.RecordType.version4, .version6].compactMap { type in
      NameMessage.query(Self.name, type).map { "/dns-query?dns=" + Self.text($0) }
    }
    #expect(Set(requests.compactMap(\.head.path)) == Set(expected))
    // The second time nothing is sent, whatever the case of the name.
    #expect(try await resolver.addresses(of: "API.test").count == 3)
    #expect(dispatcher.requests.count == 2)
  }

  @Test("An answer is asked for again after its time, and used for an hour if the server can't be reached")
  func lifetime() async throws {
    let isUp = Mutex(true)
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard isUp.withLock({ $0 }) else { throw NetworkError(.connect, "It is down.") }
      return Self.response(to: request, [Self.name: [[203, 0, 114, 1]]])
    }
    let resolver = try resolver(over: dispatcher)
    #expect(try await addresses(resolver) == ["203.0.114.1"])
    clock.advance(by: .seconds(59))
    _ = try await addresses(resolver)
    #expect(dispatcher.requests.count == 2)
    clock.advance(by: .seconds(1))
    isUp.withLock { $0 = false }
    #expect(try await addresses(resolver) == ["203.0.114.1"])
    #expect(dispatcher.requests.count == 4)
    clock.advance(by: .seconds(3_600))
    let error = await #expect(throws: NetworkError.self) { _ = try await addresses(resolver) }
    #expect(error?.kind == .resolve)
    isUp.withLock { $0 = true }
    // The server is asked again after a pause.
    await #expect(throws: NetworkError.self) { _ = try await addresses(resolver) }
    clock.advance(by: .seconds(30))
    #expect(try await addresses(resolver) == ["203.0.114.1"])
    resolver.networkDidChange()
    isUp.withLock { $0 = false }
    await #expect(throws: NetworkError.self) { _ = try await addresses(resolver) }
  }

  @Test("A server that can't be reached delays one request, and is asked again after 30 s or another network")
  func pause() async throws {
    let dispatcher = ScriptedDispatcher(failing: NetworkError(.timeout(.call), "It took too long."))
    let faults = Mutex<[NetworkError]>([])
    let resolver = try HTTPSNameResolver(
      "https://dns.test/dns-query", over: dispatcher, time: TimeSource(clock)
    ) { fault in faults.withLock { $0.append(fault) } }
    for (advance, requests) in [(0, 2), (0, 2), (29, 2), (1, 4)] {
      clock.advance(by: .seconds(advance))
      let error = await #expect(throws: NetworkError.self) { _ = try await addresses(resolver) }
      #expect(error?.kind == .resolve)
      #expect(dispatcher.requests.count == requests)
    }
    resolver.networkDidChange()
    await #expect(throws: NetworkError.self) { _ = try await addresses(resolver) }
    #expect(dispatcher.requests.count == 6)
    // Each time that it was asked, and not in the pauses.
    #expect(faults.withLock { $0.map(\.kind) } == [.resolve, .resolve, .resolve])
  }

  @Test("An answer or a failure on its way when the network changes is not counted for the new one")
  func formerNetwork() async throws {
    let isUp = Mutex(true)
    let resolver = Mutex<HTTPSNameResolver?>(nil)
    let dispatcher = ScriptedDispatcher { request, number throws(NetworkError) in
      // While the first two look-ups are under way, which are two requests each.
      if number == 1 || number == 3 { resolver.withLock { $0 }?.networkDidChange() }
      guard isUp.withLock({ $0 }) else { throw NetworkError(.connect, "No route.") }
      return Self.response(to: request, [Self.name: [[203, 0, 114, UInt8(number)]]])
    }
    let asked = try self.resolver(over: dispatcher)
    resolver.withLock { $0 = asked }
    _ = try await addresses(asked)
    isUp.withLock { $0 = false }
    // Nothing was stored.
    await #expect(throws: NetworkError.self) { _ = try await addresses(asked) }
    isUp.withLock { $0 = true }
    // And there is no pause.
    _ = try await addresses(asked)
    #expect(dispatcher.requests.count == 6)
    resolver.withLock { $0 = nil }
  }

  @Test("The server's own name is not asked for, so that a resolver in its own pipeline comes to an end")
  func ownName() async throws {
    let dispatcher = ScriptedDispatcher()
    let resolver = try resolver(over: dispatcher)
    let error = await #expect(throws: NetworkError.self) {
      _ = try await resolver.addresses(of: "DNS.test")
    }
    #expect(error?.kind == .resolve && dispatcher.requests.isEmpty)
  }

  @Test("A name without addresses is remembered for a minute, and local addresses are ignored")
  func negative() async throws {
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      Self.response(to: request, [Self.name: [[127, 0, 0, 1], [10, 0, 0, 7]]])
    }
    let strict = try resolver(over: dispatcher)
    #expect(try await addresses(strict) == [])
    clock.advance(by: .seconds(59))
    #expect(try await addresses(strict) == [])
    #expect(dispatcher.requests.count == 2)
    clock.advance(by: .seconds(1))
    #expect(try await addresses(strict) == [])
    #expect(dispatcher.requests.count == 4)
    #expect(try await addresses(resolver(over: dispatcher, allowing: [.private])) == ["10.0.0.7"])
  }

  @Test("Responses that are no answer are errors, and one kind of addresses is enough")
  func faults() async throws {
    let page = Response(status: .ok, headerFields: [.contentType: "text/html"], bytes: Array("<html>".utf8))
    let refusal = Response(
      status: .ok, headerFields: [.contentType: "application/dns-message"],
      bytes: Message(Self.name, flags: 0x8185).bytes)
    for response in [page, refusal, Response(status: .notFound), Response(status: .ok, bytes: [1])] {
      let error = await #expect(throws: NetworkError.self) {
        _ = try await addresses(resolver(over: ScriptedDispatcher(answering: response)))
      }
      #expect(error?.kind == .resolve)
    }
    let half = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard !Self.isForVersion6(request) else { throw NetworkError(.timeout(.call), "It took too long.") }
      return Self.response(to: request, [Self.name: [[203, 0, 114, 1]]])
    }
    #expect(try await addresses(resolver(over: half)) == ["203.0.114.1"])
    let error = await #expect(throws: NetworkError.self) {
      _ = try await resolver(over: half).addresses(of: "no..name")
    }
    #expect(error?.kind == .resolve)
    #expect(throws: NetworkError.self) { try HTTPSNameResolver("http://dns.test/", over: half) }
  }

  @Test("The bypass connects to what the resolver names, and leaves other hosts to the system's DNS")
  func bypass() async throws {
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      Self.response(to: request, Self.isForVersion6(request) ? [:] : [Self.name: [[203, 0, 114, 1]]])
    }
    let resolver = try resolver(over: server)
    let table = try AddressTable(["own.test": ["203.0.114.9"]])
    let dispatcher = ScriptedDispatcher()
    let bypass = DNSBypassInterceptor(table, resolver: resolver, prober: nil)
    let pipeline = try Pipeline(over: dispatcher) { bypass }
    for authority in ["api.test", "API.test:8443", "own.test", "192.0.2.7", "[2001:db9::1]:8443"] {
      _ = try await pipeline.send(Request(authority: authority, path: "/"))
    }
    #expect(
      dispatcher.requests.map { $0.context.connectTarget?.address } == [
        "203.0.114.1", "203.0.114.1", "203.0.114.9", nil, nil,
      ])
    // Hosts of the table and addresses are not asked for.
    #expect(server.requests.count == 2)
    #expect(bypass.statuses(of: "api.test").map(\.target.address) == ["203.0.114.1"])
  }
}
