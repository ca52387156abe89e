import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import RequestMerging

@Suite(.timeLimit(.minutes(5))) struct MergingInterceptorTests {
  private enum TenantKey: ContextKey { static let defaultValue = "" }

  /// A value that calls a closure while it is compared, to do something between a look and what follows it.
  private struct MeetingPoint: Equatable, Sendable {
    let number: Int
    let meet: @Sendable () -> Void

    static func == (left: MeetingPoint, right: MeetingPoint) -> Bool {
      left.meet()
      right.meet()
      return left.number == right.number
    }
  }

  private enum MeetingKey: ContextKey { static let defaultValue: MeetingPoint? = nil }

  typealias Fixture = MergingFixture

  @Test("Requests within the window are sent as one, and each receives its own response")
  func merged() async throws {
    let fixture = try Fixture()
    let tasks = try await fixture.sendAll(["7", "8", "9"].map { Fixture.request($0) })
    #expect(fixture.paths.isEmpty)
    try await fixture.endWindow()
    var results: [Result<Response, NetworkError>] = []
    for task in tasks { results.append(await task.value) }
    #expect(results.map(\.text) == ["price of 7", "price of 8", "price of 9"])
    #expect(fixture.paths == ["/prices?ids=7,8,9"])
    #expect(results.map { $0.exchange?.attempts } == [1, 0, 0])
    #expect(results.map { $0.exchange?.transport == nil } == [false, true, true])
    #expect(fixture.merging.registry.isEmpty)
  }

  @Test("A batch has the credential fields of all its requests, and has left the origin if they have")
  func credentialFields() async throws {
    let fixture = try MergingFixture({ rule in
      rule = MergeRule(of: MergingFixture.api, id: { $0.head.path }) { _ in
        Request(authority: "estate.example", path: "/prices?ids=1,2")
      } split: { _ in
        [:]
      }
    })
    let names = try ["X-Shop-Key", "X-Tenant-Pass"].map { try #require(HTTPField.Name($0)) }
    let requests = names.map { name in
      MergingFixture.request("1\(name)") { request in
        request.context.credentialFields.insert(name)
        request.context.hasLeftOrigin = true
      }
    }
    let tasks = try await fixture.sendAll(requests)
    try await fixture.endWindow()
    for task in tasks { _ = await task.value }
    let sent = try #require(fixture.server.requests.first).context
    #expect(fixture.server.requests.count == 1 && sent.hasLeftOrigin)
    #expect(names.allSatisfy(sent.credentialFields.contains))
  }

  @Test("A request that finds no others is sent as it is, at the end of the window")
  func lone() async throws {
    let fixture = try Fixture()
    let task = fixture.send(Fixture.request("7"))
    try await fixture.endWindow()
    #expect(await task.value.text == "price of 7")
    #expect(fixture.paths == ["/prices/7"])
    #expect(fixture.merging.registry.isEmpty)
  }

  @Test("A full batch is sent at once, and a request that doesn't fit opens the next one")
  func bounds() async throws {
    let fixture = try Fixture {
      $0.maximumCount = 2
      $0.maximumBytes = 21
    }
    // Each path has 9 to 11 bytes: two of 9 or 10 fit.
    var tasks = [fixture.send(Fixture.request("1"))]
    try await waitUntil("the first request waits in a batch") { fixture.merging.registry.waitingCount == 1 }
    tasks.append(fixture.send(Fixture.request("2")))
    for task in tasks { _ = await task.value }
    #expect(fixture.paths == ["/prices?ids=1,2"], "The clock was not advanced.")

    let long = try await fixture.sendAll([Fixture.request("300")])
    let other = fixture.send(Fixture.request("401"))
    #expect(await long[0].value.text == "price of 300")
    #expect(fixture.paths.last == "/prices/300")
    try await fixture.endWindow()
    #expect(await other.value.text == "price of 401")
    let tooLong = fixture.send(Fixture.request("12345678901234567"))
    #expect(await tooLong.value.text == "price of 12345678901234567")
    #expect(fixture.merging.registry.isEmpty)
  }

  @Test("Two requests with one ID are not in one batch")
  func equalIDs() async throws {
    let fixture = try Fixture()
    let first = try await fixture.sendAll([Fixture.request("7")])
    let second = fixture.send(Fixture.request("7"))
    #expect(await first[0].value.text == "price of 7")
    try await fixture.endWindow()
    #expect(await second.value.text == "price of 7")
    #expect(fixture.paths == ["/prices/7", "/prices/7"])
  }

  /// A change that keeps a request out of a batch with the unchanged one.
  struct Difference: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout Request) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout Request) -> Void) {
      testDescription = name
      self.change = change
    }
  }

  @Test(
    "Requests that differ in more than the path, the body and the call's time limit are in different batches",
    arguments: [
      Difference("method") { $0.head.method = .post }, Difference("scheme") { $0.head.scheme = "http" },
      Difference("authority") { $0.head.authority = "other.example" },
      Difference("field") { $0.head.headerFields[.acceptLanguage] = "fr" },
      Difference("partition") { $0.context.partition = "account 7" },
      Difference("priority") { $0.options.priority = .high },
      Difference("time limit") { $0.options.timeouts.whole = .seconds(1) },
      Difference("custom value") { $0.context[TenantKey.self] = "north" },
    ])
  func differences(difference: Difference) async throws {
    let fixture = try Fixture()
    let tasks = try await fixture.sendAll([
      Fixture.request("1"), Fixture.request("2", difference.change), Fixture.request("3"),
      Fixture.request("4", difference.change),
    ])
    try await fixture.endWindow(2)
    for task in tasks { #expect(await task.value.text?.hasPrefix("price of") == true) }
    #expect(Set(fixture.paths) == ["/prices?ids=1,3", "/prices?ids=2,4"])
  }

  @Test(
    "A request that can't be merged is sent by itself, without waiting",
    arguments: [
      Difference("other API") { $0.context.api = APIIdentity(service: "estate", name: "other") },
      Difference("no API") { $0.context.api = nil }, Difference("no ID") { $0.head.path = "/other" },
      Difference("cacheable") { $0.context.cacheRule = .timed() },
      Difference("streamed") { $0.options.delivery = .streamed },
      Difference("streamed body") { $0.body = .once(length: 0, EmptySource()) },
      Difference("trailer fields") { $0.trailers = RequestTrailers([.eTag]) { [:] } },
      Difference("another protocol") { $0.context.upgrade = "example" },
    ])
  func alone(difference: Difference) async throws {
    let fixture = try Fixture()
    let request = Fixture.request("1", difference.change)
    #expect(await fixture.send(request).value.failure == nil)
    #expect(fixture.server.requests.map(\.id) == [request.id])
  }

  @Test("Requests that all differ are sent by themselves once 16 of them wait")
  func manyDifferent() async throws {
    let fixture = try Fixture()
    func request(_ number: Int) -> Request {
      Fixture.request("\(number)") { $0.head.headerFields[.acceptLanguage] = "\(number)" }
    }
    let waiting = try await fixture.sendAll((0..<16).map(request))
    #expect(fixture.paths.isEmpty)
    #expect(await fixture.send(request(16)).value.text == "price of 16")
    #expect(fixture.paths == ["/prices/16"])
    try await fixture.endWindow(16)
    for (number, task) in waiting.enumerated() { #expect(await task.value.text == "price of \(number)") }
    #expect(fixture.merging.registry.isEmpty)
  }

  @Test("A request joins a batch that was opened while it was compared with another one")
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func openedMeanwhile() async throws {
    let fixture = try Fixture()
    let others = WaitableValue<[Task<Result<Response, NetworkError>, Never>]>([])
    let comparisons = Atomic(0)
    let (registry, pipeline) = (fixture.merging.registry, fixture.pipeline)
    @Sendable func request(_ number: Int, _ meet: @escaping @Sendable () -> Void = {}) -> Request {
      Fixture.request("\(number)") {
        $0.context[MeetingKey.self] = MeetingPoint(number: min(number, 2), meet: meet)
      }
    }
    let waiting = try await fixture.sendAll([request(1)])
    // While request 2 is compared with request 1, requests 3 to 6 enter, and the first of them opens a batch.
    let last = try await fixture.sendAll([
      request(2) {
        guard comparisons.add(1, ordering: .relaxed).oldValue == 0 else { return }
        for number in 3...6 {
          let other = request(number)
          let task = Task.immediate {
            do throws(NetworkError) {
              return Result<Response, NetworkError>.success(try await pipeline.send(other))
            } catch {
              return .failure(error)
            }
          }
          others.update { $0.append(task) }
        }
        // They wait already: tasks start on this thread, and enter without a suspension.
        #expect(registry.waitingCount == 5)
      }
    ])
    try await waitUntil("all requests wait") { registry.waitingCount == 6 }
    try await fixture.endWindow(2)
    try await waitUntil("two batches were sent") { fixture.paths.count == 2 }
    try #require(Set(fixture.paths) == ["/prices/1", "/prices?ids=3,4,5,6,2"])
    for task in waiting + others.value + last { #expect(await task.value.failure == nil) }
    #expect(registry.isEmpty)
  }

  @Test("Compatible requests that enter at once form full batches and no others")
  func enteringAtOnce() async throws {
    // The windows never end, so a request in a batch of its own would wait for ever.
    let fixture = try Fixture { $0.maximumCount = 10 }
    let tasks = (0..<200).map { fixture.send(Fixture.request("\($0)")) }
    try await waitUntil("20 batches were sent") { fixture.paths.count == 20 }
    for (number, task) in tasks.enumerated() { #expect(await task.value.text == "price of \(number)") }
    #expect(fixture.paths.allSatisfy { $0.split(separator: ",").count == 10 })
    #expect(fixture.merging.registry.isEmpty)
  }

  @Test("A missing response fails only its request, and a surplus one is ignored")
  func missing() async throws {
    let fixture = try Fixture(respond: { _, _ throws(NetworkError) in
      Response(status: .ok, bytes: Array("1=one\n3=three\n1=uno\nzz=surplus".utf8))
    })
    let tasks = try await fixture.sendAll(["1", "2", "3"].map { Fixture.request($0) })
    try await fixture.endWindow()
    #expect(await tasks[0].value.text == "uno")
    #expect(await tasks[2].value.text == "three")
    let error = try #require(await tasks[1].value.failure)
    guard case .missingResponse(Fixture.api)? = error.underlying(as: MergingError.self) else {
      throw error
    }
    #expect(error.kind == .rejected && error.requestMayHaveBeenProcessed)
    #expect(error.origin == .interceptor("MergingInterceptor"))
  }

  @Test("A failure of the batch fails every request")
  func failure() async throws {
    let fixture = try Fixture(respond: { _, _ throws(NetworkError) in
      throw NetworkError(.transport, "The connection broke.", requestMayHaveBeenProcessed: true)
    })
    let tasks = try await fixture.sendAll(["1", "2"].map { Fixture.request($0) })
    try await fixture.endWindow()
    for task in tasks {
      let error = await task.value.failure
      #expect(error?.kind == .transport && error?.requestMayHaveBeenProcessed == true)
    }
  }

  @Test("A batch that is refused gives its response to every request")
  func refused() async throws {
    let fixture = try Fixture(respond: { _, _ throws(NetworkError) in
      Response(status: .serviceUnavailable, bytes: Array("later".utf8))
    })
    let tasks = try await fixture.sendAll(["1", "2"].map { Fixture.request($0) })
    try await fixture.endWindow()
    for task in tasks {
      let result = await task.value
      #expect(try result.get().status == .serviceUnavailable)
      #expect(result.text == "later")
    }
  }

  @Test("Errors of the rule fail every request, with the cause and whether the batch was sent")
  func ruleErrors() async throws {
    let broken = try Fixture(respond: { _, _ throws(NetworkError) in
      Response(status: .ok, bytes: Array("broken".utf8))
    })
    var tasks = try await broken.sendAll(["1", "2"].map { Fixture.request($0) })
    try await broken.endWindow()
    for task in tasks {
      let error = try #require(await task.value.failure)
      guard case .notSplit(_, is Fixture.RuleFailure)? = error.underlying(as: MergingError.self) else {
        throw error
      }
      #expect(error.requestMayHaveBeenProcessed)
    }

    let fixture = try Fixture()
    tasks = try await fixture.sendAll(["1", "x"].map { Fixture.request($0) })
    try await fixture.endWindow()
    for task in tasks {
      let error = try #require(await task.value.failure)
      guard case .notCombined(_, is Fixture.RuleFailure)? = error.underlying(as: MergingError.self) else {
        throw error
      }
      #expect(!error.requestMayHaveBeenProcessed)
    }
    #expect(fixture.paths.isEmpty)
  }

  @Test("A batch's response that is longer than allowed fails every request")
  func tooLong() async throws {
    let fixture = try Fixture(respond: { _, _ throws(NetworkError) in
      Response(status: .ok, bytes: Array(repeating: 0x31, count: 11))
    })
    let tasks = try await fixture.sendAll(
      ["1", "2"].map { Fixture.request($0) { $0.options.delivery = .buffered(upTo: 10) } })
    try await fixture.endWindow()
    for task in tasks { #expect(await task.value.failure?.kind == .bodyTooLarge(limit: 10)) }
  }

  @Test("A request cancelled during the window is not sent; the last one ends the window")
  func cancelledInWindow() async throws {
    let fixture = try Fixture()
    let tasks = try await fixture.sendAll(["1", "2", "3"].map { Fixture.request($0) })
    tasks[0].cancel()
    let error = await tasks[0].value.failure
    #expect(error?.kind == .cancelled(.task) && error?.requestMayHaveBeenProcessed == false)
    try await fixture.endWindow()
    #expect(await tasks[1].value.text == "price of 2")
    #expect(fixture.paths == ["/prices?ids=2,3"])

    let lone = try await fixture.sendAll([Fixture.request("4")])
    lone[0].cancel()
    #expect(await lone[0].value.failure?.kind == .cancelled(.task))
    #expect(fixture.merging.registry.isEmpty)
    #expect(fixture.paths.count == 1)
  }

  @Test("A request cancelled during the transfer ends its own wait; the last one cancels the transfer")
  func cancelledInTransfer() async throws {
    let state = WaitableValue((started: 0, cancelled: 0, mayGo: false))
    let fixture = try Fixture(respond: { request, _ throws(NetworkError) in
      state.update { $0.started += 1 }
      do {
        try await state.wait { $0.mayGo }
      } catch {
        state.update { $0.cancelled += 1 }
        throw NetworkError(.cancelled(.task), "The request was cancelled.")
      }
      return Fixture.respond(request)
    })
    let tasks = try await fixture.sendAll(["1", "2"].map { Fixture.request($0) })
    try await fixture.endWindow()
    try await state.wait { $0.started == 1 }
    // The batch doesn't belong to the request that opened it.
    tasks[0].cancel()
    let error = await tasks[0].value.failure
    #expect(error?.kind == .cancelled(.task) && error?.requestMayHaveBeenProcessed == true)
    #expect(state.value.cancelled == 0)
    tasks[1].cancel()
    #expect(await tasks[1].value.failure?.kind == .cancelled(.task))
    try await state.wait { $0.cancelled == 1 }
    try await waitUntil("no batch is left") { fixture.merging.registry.isEmpty }
  }

  @Test("Cancelling all requests of a full batch cancels its transfer")
  func cancelledFullBatch() async throws {
    let state = WaitableValue((started: 0, cancelled: 0))
    let fixture = try Fixture({ $0.maximumCount = 2 }) { _, _ throws(NetworkError) in
      state.update { $0.started += 1 }
      _ = try? await state.wait { _ in false }
      state.update { $0.cancelled += 1 }
      throw NetworkError(.cancelled(.task), "The request was cancelled.")
    }
    let tasks = ["1", "2"].map { fixture.send(Fixture.request($0)) }
    try await state.wait { $0.started == 1 }
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value.failure?.kind == .cancelled(.task)) }
    try await state.wait { $0.cancelled == 1 }
    try await waitUntil("no batch is left") { fixture.merging.registry.isEmpty }
  }

  @Test("The time limit of a call ends the wait of its request, and the batch goes to the others")
  func callLimit() async throws {
    let gate = WaitableValue(false)
    let clock = TestClock()
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      _ = try? await gate.wait { $0 }
      #expect(request.options.timeouts.call == nil)
      return Fixture.respond(request)
    }
    let merging = MergingInterceptor(Fixture.rule, time: TimeSource(clock))
    let pipeline = try Pipeline(over: server, time: TimeSource(clock)) { merging }
    let hurried = Task {
      await #expect(throws: NetworkError.self) {
        try await pipeline.send(Fixture.request("1") { $0.options.timeouts.call = .seconds(1) })
      }
    }
    try await clock.waitForSleepers(2)
    let patient = Task { try await pipeline.send(Fixture.request("2")) }
    try await waitUntil("both requests wait in a batch") { merging.registry.waitingCount == 2 }
    clock.advance(by: .milliseconds(10))
    try await waitUntil("the batch was sent") { !server.requests.isEmpty }
    clock.advance(by: .seconds(1))
    #expect(await hurried.value?.kind == .timeout(.call))
    gate.update { $0 = true }
    #expect(try await patient.value.status == .ok)
    #expect(server.requests.map(\.head.path) == ["/prices?ids=1,2"])
  }

  @Test("The batch keeps the context and the options, and is neither cached nor checked as an item")
  func batchContext() async throws {
    let fixture = try Fixture()
    let tasks = try await fixture.sendAll(
      ["1", "2"].map {
        Fixture.request($0) {
          $0.context[TenantKey.self] = "north"
          $0.context.partition = "account 7"
          $0.options.timeouts.whole = .seconds(3)
        }
      })
    try await fixture.endWindow()
    for task in tasks { #expect(await task.value.failure == nil) }
    let batch = try #require(fixture.server.requests.first)
    #expect(batch.context[TenantKey.self] == "north")
    #expect(batch.context.partition == "account 7" && batch.options.timeouts.whole == .seconds(3))
    #expect(batch.context.cacheRule == .off && batch.context.storageCheck == nil)
  }

  @Test(
    "1,000 requests with random cancellations each receive their own response or their own cancellation",
    arguments: [MergeRule.Policy.window(.zero), .whileInFlight])
  func storm(policy: MergeRule.Policy) async throws {
    var rule = Fixture.rule
    rule.policy = policy
    rule.maximumCount = 7
    let server = ScriptedDispatcher { request, number throws(NetworkError) in
      if number % 5 == 0 { await Task.yield() }
      return Fixture.respond(request)
    }
    let merging = MergingInterceptor(rule)
    let pipeline = try Pipeline(over: server) { merging }
    let tasks = (0..<1_000).map { number in
      Task { () async -> Result<Response, NetworkError> in
        do throws(NetworkError) {
          return .success(try await pipeline.send(Fixture.request("\(number)")))
        } catch {
          return .failure(error)
        }
      }
    }
    for number in stride(from: 0, to: 1_000, by: 3) {
      tasks[number].cancel()
      if number % 2 == 0 { await Task.yield() }
    }
    for (number, task) in tasks.enumerated() {
      switch await task.value {
      case .success(let response):
        #expect(Result<Response, NetworkError>.success(response).text == "price of \(number)")
      case .failure(let error):
        #expect(number % 3 == 0 && error.kind == .cancelled(.task), "\(number): \(error)")
      }
    }
    try await waitUntil("no batch is left") { merging.registry.isEmpty }
  }

  @Test(
    "The interceptor satisfies the laws, for requests with and without a rule",
    arguments: [MergeRule.Policy.window(.zero), .whileInFlight])
  func laws(policy: MergeRule.Policy) async throws {
    var rule = Fixture.rule
    rule.policy = policy
    let report = await checkInterceptorLaws(MergingInterceptor(rule))
    #expect(report.violations.isEmpty, "\(report)")
    let merged = await checkInterceptorLaws(
      MergingInterceptor(rule),
      samples: [Fixture.request("7"), Fixture.request("8") { $0.head.method = .put }])
    #expect(merged.violations.isEmpty, "\(merged)")
  }
}

/// A body without content.
private struct EmptySource: ByteSource {
  func read() async throws(NetworkError) -> [UInt8]? { nil }
  func cancel() {}
}
