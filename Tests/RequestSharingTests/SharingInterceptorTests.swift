import HTTPTypes
import Interception
import RequestFlights
import SwitchyardTesting
import Testing

@testable import RequestSharing

private enum Tenant: ContextKey { static let defaultValue = "" }

@Suite(.timeLimit(.minutes(5)))
struct SharingInterceptorTests {
  private typealias Fixture = SharingFixture

  @Test("A request that joins another one receives the same bytes, and nothing is sent for it")
  func joined() async throws {
    let report = TransportReport(remoteAddress: "203.0.113.1:443")
    let fixture = try Fixture { _ in
      Response(
        HTTPResponse(status: .ok), body: .bytes([1, 2, 3]), trailers: [.eTag: "\"a\""],
        exchange: Exchange(cache: .forwarded(.uriMiss, stored: true), transport: report))
    }
    let first = fixture.send()
    try await fixture.waitUntilWaiting(1)
    let second = fixture.send()
    try await fixture.waitUntilWaiting(2)
    fixture.open()
    let (owner, joined) = (try await first.value.get(), try await second.value.get())
    #expect(fixture.server.requests.count == 1)
    for response in [owner, joined] {
      #expect(try await response.body.collect(upTo: 3) == [1, 2, 3])
      #expect(response.trailers == [.eTag: "\"a\""])
    }
    #expect(
      owner.exchange
        == Exchange(attempts: 1, cache: .forwarded(.uriMiss, stored: true), transport: report))
    #expect(joined.exchange == Exchange(attempts: 0, cache: .forwarded(.uriMiss, stored: true)))
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("A request after the response has arrived is sent")
  func inTurn() async throws {
    let fixture = try Fixture()
    fixture.open()
    for _ in 0..<3 { #expect(try await fixture.pipeline.send(Fixture.request()).exchange.attempts == 1) }
    #expect(fixture.server.requests.count == 3)
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("Requests that aren't idempotent by their context are sent one by one", arguments: [true, false])
  func notIdempotent(isIdempotent: Bool) async throws {
    let fixture = try Fixture()
    let request = Fixture.request { $0.context.isIdempotent = isIdempotent }
    let tasks = [fixture.send(request), fixture.send(request)]
    if isIdempotent { try await fixture.waitUntilWaiting(2) } else { try await fixture.waitUntilSent(2) }
    fixture.open()
    for task in tasks { #expect(await task.value.text == "/houses") }
    #expect(fixture.server.requests.count == (isIdempotent ? 1 : 2))
  }

  @Test("The last request's cancellation cancels the flight, and everything is released")
  func lastCancelled() async throws {
    let fixture = try Fixture()
    let tasks = [fixture.send(), fixture.send(), fixture.send()]
    try await fixture.waitUntilWaiting(3)
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value.failure?.kind == .cancelled(.task)) }
    try await fixture.gate.wait { $0.cancelled == 1 }
    #expect(fixture.sharing.registry.isEmpty)
    #expect(fixture.server.requests.count == 1)
  }

  @Test("A flight that is being cancelled is not joined, and its end does not affect the next one")
  func cancelling() async throws {
    let fixture = try Fixture(ignoresCancellation: true)
    let first = fixture.send()
    try await fixture.waitUntilWaiting(1)
    first.cancel()
    try await fixture.gate.wait { $0.cancelled == 1 }
    let second = fixture.send()
    try await fixture.waitUntilSent(2)
    fixture.open()
    #expect(await first.value.failure?.kind == .cancelled(.task))
    #expect(await second.value.text == "/houses")
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("A request that was cancelled before it was sent sends nothing")
  func cancelledBefore() async throws {
    let fixture = try Fixture()
    let task = Task { [fixture] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await fixture.pipeline.send(Fixture.request())
    }
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.kind == .cancelled(.task))
    #expect(fixture.server.requests.isEmpty)
  }

  @Test("A failure is given to all waiting requests, unchanged")
  func failure() async throws {
    let fixture = try Fixture { _ throws(NetworkError) in
      throw NetworkError(.connect, "Refused.", requestMayHaveBeenProcessed: true)
    }
    let tasks = (0..<3).map { _ in fixture.send() }
    try await fixture.waitUntilWaiting(3)
    fixture.open()
    for task in tasks {
      let error = try #require(await task.value.failure)
      #expect(error.kind == .connect)
      #expect(error.reason == "Refused.")
      #expect(error.origin == .dispatcher("ScriptedDispatcher"))
      #expect(error.attempt == 1)
      #expect(error.requestMayHaveBeenProcessed)
    }
    #expect(fixture.server.requests.count == 1)
  }

  @Test("A flight includes its retries, and a request that joins late receives their result")
  func retries() async throws {
    let retrying = InlineInterceptor("Retrying", stage: .retry) { request, next in
      _ = try await next.dispatch(request)
      return try await next.dispatch(request.asAttempt(2))
    }
    let fixture = try Fixture(inner: [retrying])
    let first = fixture.send()
    try await fixture.waitUntilSent(1)
    let second = fixture.send()
    try await fixture.waitUntilWaiting(2)
    fixture.open()
    #expect(await first.value.exchange?.attempts == 2)
    #expect(await second.value.exchange?.attempts == 0)
    #expect(fixture.server.requests.map(\.attempt) == [1, 2])
  }

  @Test("A streamed response is passed on to a single request, and collected for several")
  func streams() async throws {
    func fixture() throws -> Fixture {
      try Fixture { _ in
        Response(
          HTTPResponse(status: .ok),
          body: .stream(BodyStream(length: 3, ScriptedByteSource([[1, 2], [3]]))))
      }
    }
    let alone = try fixture()
    alone.open()
    guard case .stream = try await alone.pipeline.send(Fixture.request()).body else {
      Issue.record("The stream was collected")
      return
    }
    let shared = try fixture()
    let tasks = (0..<3).map { _ in shared.send() }
    try await shared.waitUntilWaiting(3)
    shared.open()
    for task in tasks {
      guard case .bytes([1, 2, 3]) = try await task.value.get().body else {
        Issue.record("The response is not the collected bytes")
        return
      }
    }
    let limited = try fixture()
    let refused = (0..<2).map { _ in
      limited.send(Fixture.request { $0.options.delivery = .buffered(upTo: 2) })
    }
    try await limited.waitUntilWaiting(2)
    limited.open()
    for task in refused { #expect(await task.value.failure?.kind == .bodyTooLarge(limit: 2)) }
    #expect(limited.sharing.registry.isEmpty)
  }

  @Test("A more urgent request starts a flight of its own, which later requests join")
  func priorities() async throws {
    let fixture = try Fixture()
    let low = fixture.send(Fixture.request { $0.options.priority = .low })
    try await fixture.waitUntilSent(1)
    let high = fixture.send(Fixture.request { $0.options.priority = .high })
    try await fixture.waitUntilSent(2)
    let normal = fixture.send()
    try await fixture.waitUntilWaiting(3)
    fixture.open()
    for task in [low, high, normal] { #expect(await task.value.text == "/houses") }
    #expect(await normal.value.exchange?.attempts == 0)
    #expect(fixture.server.requests.map(\.options.priority) == [.low, .high])
  }

  @Test("Requests with different custom context values are not joined, those with equal ones are")
  func customValues() async throws {
    let fixture = try Fixture { request in
      Response(status: .ok, bytes: Array(request.context[Tenant.self].utf8))
    }
    let tenants = ["north", "south", "north", "south", "north"]
    var tasks: [Task<Result<Response, NetworkError>, Never>] = []
    for (index, tenant) in tenants.enumerated() {
      tasks.append(fixture.send(Fixture.request { $0.context[Tenant.self] = tenant }))
      try await fixture.waitUntilWaiting(index + 1)
    }
    fixture.open()
    for (task, tenant) in zip(tasks, tenants) { #expect(await task.value.text == tenant) }
    #expect(fixture.server.requests.count == 2)
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("Requests that can't be shared are all sent")
  func unshared() async throws {
    let fixture = try Fixture()
    fixture.open()
    let kinds: [@Sendable (inout Request) -> Void] = [
      { $0.head.method = .post }, { $0.options.delivery = .streamed }, { $0.context.allowsSharing = false },
    ]
    for change in kinds {
      async let first = fixture.send(Fixture.request("/", change)).value
      async let second = fixture.send(Fixture.request("/", change)).value
      for result in await [first, second] { #expect(result.exchange?.attempts == 1) }
    }
    #expect(fixture.server.requests.count == 6)
  }

  @Test("After closeFlights a request is sent, while those that wait receive their response")
  func closing() async throws {
    let fixture = try Fixture()
    let first = fixture.send()
    try await fixture.waitUntilWaiting(1)
    fixture.sharing.closeFlights()
    let second = fixture.send()
    try await fixture.waitUntilSent(2)
    fixture.open()
    for task in [first, second] { #expect(await task.value.exchange?.attempts == 1) }
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("After a write no request joins a flight from before it", arguments: [true, false])
  func writes(succeeds: Bool) async throws {
    let server = InlineInterceptor("Server", stage: .logging) { request, next in
      guard request.head.method == .put else { return try await next.dispatch(request) }
      if succeeds { return Response(status: .noContent) }
      throw NetworkError(.transport, "The connection was lost.", requestMayHaveBeenProcessed: true)
    }
    let fixture = try Fixture(inner: [server])
    let first = fixture.send()
    try await fixture.waitUntilWaiting(1)
    try await fixture.waitUntilSent(1)
    let write = try? await fixture.pipeline.send(Fixture.request("/houses/7") { $0.head.method = .put })
    #expect((write != nil) == succeeds)
    let second = fixture.send()
    try await fixture.waitUntilSent(2)
    fixture.open()
    for task in [first, second] { #expect(await task.value.exchange?.attempts == 1) }
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("A request joins a flight from before a write until the write has ended, and not after it")
  func writeEnds() async throws {
    let isWritten = WaitableValue(false)
    let server = InlineInterceptor("Server", stage: .logging) { request, next in
      guard request.head.method == .put else { return try await next.dispatch(request) }
      try await isWritten.wait { $0 }
      return Response(status: .noContent)
    }
    let fixture = try Fixture(inner: [server])
    let first = fixture.send()
    try await fixture.waitUntilSent(1)
    let write = fixture.send(Fixture.request("/houses/7") { $0.head.method = .put })
    let during = fixture.send()
    try await fixture.waitUntilWaiting(2)
    isWritten.update { $0 = true }
    #expect(await write.value.failure == nil)
    let after = fixture.send()
    try await fixture.waitUntilSent(2)
    fixture.open()
    for (task, attempts) in [(first, 1), (during, 0), (after, 1)] {
      #expect(await task.value.exchange?.attempts == attempts)
    }
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("A flight's task has the highest task priority of its waiting requests")
  func taskPriority() async throws {
    let seen = WaitableValue<TaskPriority?>(nil)
    let noting = InlineInterceptor("Noting", stage: .logging) { request, next in
      let response = try await next.dispatch(request)
      // It is raised after the second request has joined.
      try await waitUntil("the flight has the second request's priority") { Task.currentPriority == .high }
      seen.update { $0 = Task.currentPriority }
      return response
    }
    let fixture = try Fixture(inner: [noting])
    let first = fixture.send(priority: .background)
    try await fixture.waitUntilWaiting(1)
    let second = fixture.send(priority: .high)
    try await fixture.waitUntilWaiting(2)
    fixture.open()
    // Awaiting a task's value raises its priority, so the flight's priority is read first.
    let priority = try await seen.wait { $0 != nil }
    #expect(priority == .high)
    for task in [first, second] { #expect(await task.value.text == "/houses") }
  }

  @Test("The interceptor satisfies the laws")
  func laws() async throws {
    let report = await checkInterceptorLaws(SharingInterceptor())
    #expect(report.violations.isEmpty, "\(report)")
    #expect(report.unproven.isEmpty, "\(report)")
  }
}
