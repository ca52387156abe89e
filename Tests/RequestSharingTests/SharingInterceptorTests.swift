import HTTPTypes
import Interception
import RequestFlights
import SwitchyardTesting
import Testing

@testable import RequestSharing

private enum Tenant: ContextKey { static let defaultValue = "" }

/// A body that begins, and then stalls until its reader is cancelled.
private final class HeldByteSource: ByteSource {
  private let hasBegun = WaitableValue(false)

  func read() async throws(NetworkError) -> [UInt8]? {
    guard hasBegun.value else {
      hasBegun.update { $0 = true }
      return [1, 2]
    }
    do { try await WaitableValue(false).wait { $0 } } catch {}
    throw NetworkError(.cancelled(.task), "The reader was cancelled.", requestMayHaveBeenProcessed: true)
  }

  func cancel() {}
}

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

  @Test("I11: After the cancellation of the request that was sent, one that joined is sent in its place")
  func firstCancelled() async throws {
    let report = TransportReport(remoteAddress: "203.0.113.1:443")
    let fixture = try Fixture { request in
      Response(
        HTTPResponse(status: .ok), body: .bytes(Array((request.head.path ?? "").utf8)),
        exchange: Exchange(transport: report))
    }
    let first = fixture.send()
    try await fixture.waitUntilWaiting(1)
    let second = fixture.send()
    try await fixture.waitUntilWaiting(2)
    let third = fixture.send()
    try await fixture.waitUntilWaiting(3)
    first.cancel()
    let error = try #require(await first.value.failure)
    #expect(error.kind == .cancelled(.task))
    #expect(error.origin == .dispatcher("Held"))
    #expect(error.requestMayHaveBeenProcessed)
    try await fixture.waitUntilSent(2)
    #expect(fixture.sharing.registry.waitingCount == 2)
    // Later requests join the one that was sent instead.
    let fourth = fixture.send()
    try await fixture.waitUntilWaiting(3)
    fixture.open()
    let results = [await second.value, await third.value, await fourth.value]
    for result in results { #expect(result.text == "/houses") }
    // The one that was sent says so.
    #expect(results[0].exchange == Exchange(attempts: 1, transport: report))
    #expect(results[1...].allSatisfy { $0.exchange == Exchange(attempts: 0) })
    #expect(fixture.server.requests.count == 2)
    #expect(fixture.gate.value.maximumOnTheWay == 1)
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("While a cancelled call has not ended, no request is sent in its place, and its response is for all")
  func cancelledTooLate() async throws {
    let isEnded = WaitableValue(false)
    let slow = InlineInterceptor("Slow", stage: .retry) { request, next in
      // A task of its own, which the cancellation does not reach.
      try await Task {
        try await isEnded.wait { $0 }
        return try await next.dispatch(request)
      }.value
    }
    let fixture = try Fixture(inner: [slow])
    fixture.open()
    let first = fixture.send()
    try await fixture.waitUntilWaiting(1)
    let second = fixture.send()
    try await fixture.waitUntilWaiting(2)
    first.cancel()
    try await waitUntil("only the other request waits") { fixture.sharing.registry.waitingCount == 1 }
    let third = fixture.send()
    try await fixture.waitUntilWaiting(2)
    #expect(fixture.server.requests.isEmpty)
    isEnded.update { $0 = true }
    #expect(await first.value.text == "/houses")
    for task in [second, third] { #expect(await task.value.exchange?.attempts == 0) }
    #expect(fixture.server.requests.count == 1)
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("An error other than the cancellation is given to all, although the request was cancelled")
  func failureOfCancelled() async throws {
    let isEnded = WaitableValue(false)
    let failing = InlineInterceptor("Failing", stage: .retry) { _, _ in
      _ = try? await Task { try await isEnded.wait { $0 } }.value
      throw NetworkError(.connect, "Refused.", requestMayHaveBeenProcessed: true)
    }
    let fixture = try Fixture(inner: [failing])
    let first = fixture.send()
    try await fixture.waitUntilWaiting(1)
    let second = fixture.send()
    try await fixture.waitUntilWaiting(2)
    first.cancel()
    isEnded.update { $0 = true }
    for task in [first, second] { #expect(await task.value.failure?.kind == .connect) }
    #expect(fixture.server.requests.isEmpty && fixture.sharing.registry.isEmpty)
  }

  @Test("A cancellation that isn't the caller's, such as that of a shutdown, is given to all")
  func otherCancellation() async throws {
    let fixture = try Fixture { _ throws(NetworkError) in
      throw NetworkError(.cancelled(.task), "The server's own task was cancelled.")
    }
    let tasks = (0..<3).map { _ in fixture.send() }
    try await fixture.waitUntilWaiting(3)
    fixture.open()
    for task in tasks {
      #expect(await task.value.failure?.reason == "The server's own task was cancelled.")
    }
    #expect(fixture.server.requests.count == 1)
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("Each request that is cancelled while it is sent hands over, until one ends")
  func manyCancelled() async throws {
    let fixture = try Fixture()
    var tasks: [Task<Result<Response, NetworkError>, Never>] = []
    for number in 1...5 {
      tasks.append(fixture.send())
      try await fixture.waitUntilWaiting(number)
    }
    for number in 0..<4 {
      try await fixture.waitUntilSent(number + 1)
      tasks[number].cancel()
      #expect(await tasks[number].value.failure?.kind == .cancelled(.task))
    }
    try await fixture.waitUntilSent(5)
    fixture.open()
    #expect(await tasks[4].value.exchange?.attempts == 1)
    #expect(fixture.server.requests.count == 5)
    #expect(fixture.gate.value.maximumOnTheWay == 1)
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("The request that is sent in place of a cancelled one is its own, with its own fields and ID")
  func ownRequest() async throws {
    let trace = try #require(HTTPField.Name("traceparent"))
    let fixture = try Fixture()
    let requests = (1...2).map { number in
      Fixture.request { $0.head.headerFields[trace] = "00-\(number)-1-00" }
    }
    let first = fixture.send(requests[0])
    try await fixture.waitUntilWaiting(1)
    let second = fixture.send(requests[1])
    try await fixture.waitUntilWaiting(2)
    first.cancel()
    try await fixture.waitUntilSent(2)
    fixture.open()
    #expect(await second.value.failure == nil)
    #expect(fixture.server.requests.map(\.id) == requests.map(\.id))
    #expect(fixture.server.requests.map { $0.head.headerFields[trace] } == ["00-1-1-00", "00-2-1-00"])
  }

  @Test("A call's time limit ends its own wait; the others continue with a request of their own")
  func callLimit() async throws {
    let clock = TestClock()
    let fixture = try Fixture(time: TimeSource(clock))
    let limited = Fixture.request { $0.options.timeouts.call = .seconds(10) }
    let first = fixture.send(limited)
    try await fixture.waitUntilSent(1)
    clock.advance(by: .seconds(6))
    let second = fixture.send(limited)
    try await fixture.waitUntilWaiting(2)
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(4))
    #expect(await first.value.failure?.kind == .timeout(.call))
    try await fixture.waitUntilSent(2)
    fixture.open()
    #expect(await second.value.exchange?.attempts == 1)
    #expect(fixture.gate.value.maximumOnTheWay == 1)
    #expect(fixture.sharing.registry.isEmpty)
  }

  @Test("A response whose collection is cancelled is requested anew for those that wait")
  func cancelledStream() async throws {
    let isStarted = WaitableValue(0)
    let streaming = InlineInterceptor("Streaming", stage: .logging) { _, _ in
      let number = isStarted.update { number in
        number += 1
        return number
      }
      let stream =
        number == 1
        ? BodyStream(length: nil, HeldByteSource())
        : BodyStream(length: nil, ScriptedByteSource([[1, 2], [3]]))
      return Response(HTTPResponse(status: .ok), body: .stream(stream))
    }
    let wait = WaitableValue(false)
    let holding = InlineInterceptor("Holding", stage: .retry) { request, next in
      try await wait.wait { $0 }
      return try await next.dispatch(request)
    }
    let fixture = try Fixture(inner: [holding, streaming])
    let first = fixture.send()
    try await fixture.waitUntilWaiting(1)
    let second = fixture.send()
    try await fixture.waitUntilWaiting(2)
    wait.update { $0 = true }
    _ = try await isStarted.wait { $0 == 1 }
    first.cancel()
    #expect(await first.value.failure?.kind == .cancelled(.task))
    // The only request that is left gets the stream itself.
    #expect(try await second.value.get().body.collect(upTo: 3) == [1, 2, 3])
    #expect(isStarted.value == 2 && fixture.sharing.registry.isEmpty)
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
