import HTTPTypes
import Interception
import RequestFlights
import SwitchyardTesting
import Testing

@testable import ResponseCaching

@Suite(.timeLimit(.minutes(5)))
struct CollapsingTests {
  private static let joined = Exchange.CacheStatus.forwarded(.uriMiss, stored: false, collapsed: true)

  /// A cache over a server that holds each request until the test releases it.
  private struct Held: Sendable {
    let gate: WaitableValue<Bool>
    let fixture: CacheFixture

    init(
      isOpen: Bool = false,
      _ respond: @escaping @Sendable (Request, Int) throws(NetworkError) -> Response = { _, number in
        Response(status: .ok, bytes: Array("response \(number)".utf8))
      }
    ) {
      let gate = WaitableValue(isOpen)
      self.gate = gate
      fixture = CacheFixture { request, number throws(NetworkError) in
        do {
          try await gate.wait { $0 }
        } catch {
          throw NetworkError(.cancelled(.task), "The request was cancelled.")
        }
        return try respond(request, number)
      }
    }

    var flights: FlightRegistry { fixture.cache.storage.flights }

    func start(_ request: Request) -> Task<Result<Response, NetworkError>, Never> {
      Task {
        do throws(NetworkError) {
          return .success(try await fixture.send(request))
        } catch {
          return .failure(error)
        }
      }
    }

    /// Starts requests, and waits until each waits for a flight.
    ///
    /// A request waits from the moment its flight is registered, which is before the server receives it. So
    /// a test counts the flights then, and the requests of the server when it has opened the gate.
    func startWaiting(_ requests: [Request]) async throws -> [Task<Result<Response, NetworkError>, Never>] {
      let former = flights.waitingCount
      let tasks = requests.map { start($0) }
      try await waitUntil("the requests wait for a flight") {
        flights.waitingCount == former + requests.count
      }
      return tasks
    }

    func open() { gate.update { $0 = true } }
  }

  @Test("Concurrent equal misses are one request, which the others report as collapsed")
  func collapsed() async throws {
    let held = Held()
    let tasks = try await held.startWaiting(Array(repeating: .houses(), count: 50))
    held.open()
    var statuses: [Exchange.CacheStatus?] = []
    for task in tasks {
      let response = try await task.value.get()
      #expect(try await response.body.collect(upTo: 99) == Array("response 1".utf8))
      statuses.append(response.exchange.cache)
      if response.exchange.cache == Self.joined { #expect(response.exchange.attempts == 0) }
    }
    #expect(statuses.count { $0 == .forwarded(.uriMiss, stored: true) } == 1)
    #expect(statuses.count { $0 == Self.joined } == 49)
    #expect(Self.joined.description == "fwd=uri-miss; collapsed")
    #expect(held.fixture.server.requests.count == 1)
    #expect(held.flights.isEmpty)
  }

  @Test("Requests that aren't identical, and so share no flight before the cache, are one if their key is")
  func oneKey() async throws {
    enum Screen: ContextKey { static let defaultValue = "" }
    let first = Request.houses("/v1/houses?city=1&page=2")
    var second = Request.houses("/v1/houses?page=2&city=1")
    second.context[Screen.self] = "start"
    #expect(FlightKey(first) { _ in false } != FlightKey(second) { _ in false })
    let held = Held()
    let tasks = try await held.startWaiting([first, second])
    held.open()
    for task in tasks { #expect(try await task.value.get().status == .ok) }
    #expect(held.fixture.server.requests.count == 1)
  }

  @Test("Concurrent revalidations of a stale response are one conditional request")
  func revalidations() async throws {
    let held = Held(isOpen: true) { request, _ in
      request.head.headerFields.contains(.ifNoneMatch)
        ? Response(status: .notModified) : Response(status: .ok, headerFields: [.eTag: "\"a\""], bytes: [1])
    }
    _ = try await held.fixture.send(.houses())
    held.fixture.clock.advance(by: .seconds(61))
    held.gate.update { $0 = false }
    let tasks = try await held.startWaiting(Array(repeating: .houses(), count: 5))
    held.open()
    for task in tasks { #expect(try await task.value.get().body.collect(upTo: 9) == [1]) }
    #expect(held.fixture.server.requests.count == 2)
  }

  @Test("An error reaches all waiting requests, and leaves nothing behind")
  func errors() async throws {
    let held = Held { _, _ throws(NetworkError) in throw NetworkError(.offline, "There is no network.") }
    let tasks = try await held.startWaiting(Array(repeating: .houses(), count: 5))
    held.open()
    for task in tasks {
      guard case .failure(let error) = await task.value else {
        Issue.record("A request succeeded.")
        continue
      }
      #expect(error.kind == .offline)
    }
    #expect(held.fixture.server.requests.count == 1)
    #expect(held.flights.isEmpty)
  }

  @Test(
    "I11: Cancelling one request ends its own wait only; if it was sent, another is sent in its place",
    arguments: 0..<3)
  func cancellation(_ index: Int) async throws {
    let held = Held()
    var tasks = try await held.startWaiting([.houses()])
    tasks += try await held.startWaiting(Array(repeating: .houses(), count: 2))
    tasks[index].cancel()
    guard case .failure(let error) = await tasks[index].value else {
      Issue.record("The cancelled request has a response.")
      return
    }
    #expect(error.kind == .cancelled(.task))
    held.open()
    var statuses: [Exchange.CacheStatus?] = []
    for (other, task) in tasks.enumerated() where other != index {
      let response = try await task.value.get()
      #expect(response.status == .ok)
      statuses.append(response.exchange.cache)
    }
    // One of them reports that it was forwarded, and the response is stored for it.
    #expect(statuses.count { $0 == .forwarded(.uriMiss, stored: true) } == 1)
    #expect(statuses.count { $0 == Self.joined } == 1)
    #expect(held.fixture.server.requests.count == (index == 0 ? 2 : 1))
    #expect(held.flights.isEmpty)
  }

  @Test(
    "A response that can't be used for others is requested for each, and the next time without a wait",
    arguments: [[.cacheControl: "no-store"], [.cacheControl: "no-cache"], [.vary: "*"]] as [HTTPFields])
  func notShared(_ fields: HTTPFields) async throws {
    let held = Held { _, number in
      Response(status: .ok, headerFields: fields, bytes: Array("response \(number)".utf8))
    }
    let tasks = try await held.startWaiting(Array(repeating: .houses(), count: 4))
    held.open()
    var texts: Set<String> = []
    for task in tasks {
      let body = try await task.value.get().body.collect(upTo: 99)
      texts.insert(String(decoding: body, as: UTF8.self))
    }
    #expect(texts == ["response 1", "response 2", "response 3", "response 4"])
    held.gate.update { $0 = false }
    let next = (0..<3).map { _ in held.start(.houses()) }
    try await waitUntil("seven requests were sent") { held.fixture.server.requests.count == 7 }
    #expect(held.flights.waitingCount == 0)
    held.open()
    for task in next { _ = await task.value }
  }

  @Test("Requests with other credentials or other selecting fields don't wait for each other")
  func separate() async throws {
    let held = Held { request, _ in
      Response(status: .ok, headerFields: [.vary: "Accept-Language"], bytes: [1])
    }
    let requests: [Request] = [
      .houses(partition: "ada", fields: [.authorization: "Bearer a"]),
      .houses(partition: "ada", fields: [.authorization: "Bearer b"]),
      .houses(partition: "bob", fields: [.authorization: "Bearer a"]),
      .houses(fields: [.acceptLanguage: "de"]), .houses(partition: "eve", fields: [.acceptLanguage: "fr"]),
    ]
    let tasks = try await held.startWaiting(requests)
    #expect(held.flights.count == 5)
    // The nonce of a signature doesn't tell requests apart.
    let signed = try await held.startWaiting([
      .houses(partition: "eve", fields: [.acceptLanguage: "fr", .named("Switchyard-Nonce"): "1"])
    ])
    #expect(held.flights.count == 5)
    held.open()
    for task in tasks + signed { #expect(try await task.value.get().status == .ok) }
    #expect(held.fixture.server.requests.count == 5)
  }

  @Test("A reload, and a request after a removal, don't wait for a request that was sent before")
  func laterRequests() async throws {
    let held = Held()
    var tasks = try await held.startWaiting([.houses()])
    tasks.append(held.start(.houses(rule: .timed(.seconds(60)).with(.reload))))
    try await waitUntil("two requests were sent") { held.fixture.server.requests.count == 2 }
    await held.fixture.cache.wipe(tags: ["houses"])
    tasks += try await held.startWaiting([.houses()])
    // The reload has none, and the first request's is still in flight.
    #expect(held.flights.count == 2)
    held.open()
    for task in tasks { #expect(try await task.value.get().status == .ok) }
    #expect(held.fixture.server.requests.count == 3)
  }
}
