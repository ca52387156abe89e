import HTTPTypes
import Interception
import RequestFlights
import SwitchyardTesting
import Testing

@testable import RequestSharing

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

@Suite("What happens to those that wait when the call that was sent ends early", .timeLimit(.minutes(5)))
struct SharingTakeoverTests {
  private typealias Fixture = SharingFixture

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
}
