import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@Suite("A pipeline", .timeLimit(.minutes(5)))
struct PipelineTests {
  @Test("B1: Interceptors run in registration order on the way in, and in reverse order on the way out")
  func order() async throws {
    let journal = Journal()
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      for (name, stage) in [("outer", Stage.validation), ("middle", .signing), ("inner", .logging)] {
        InlineInterceptor(name, stage: stage) { request, next in
          journal.note("in \(name)")
          defer { journal.note("out \(name)") }
          return try await next.dispatch(request)
        }
      }
    }
    _ = try await pipeline.send(.example)
    #expect(
      journal.lines == ["in outer", "in middle", "in inner", "out inner", "out middle", "out outer"])
  }

  @Test("Interceptors whose initializers throw are created in the list, with if, for and others beside them")
  func throwingList() throws {
    let isSecond = true
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      try Checked(isValid: true)
      if isSecond {
        try Checked(isValid: true)
      } else {
        Checked()
      }
      for isValid in [true, true] { try Checked(isValid: isValid) }
    }
    #expect(pipeline.names.count == 4)
  }

  @Test("The first error of the list ends the creation, and is thrown as it is")
  func failingList() {
    #expect(throws: Checked.Fault()) {
      try Pipeline(over: ScriptedDispatcher()) {
        Checked()
        try Checked(isValid: false)
      }
    }
  }

  @Test("A list that doesn't throw still fails with a typed error, and one that throws with the same issue")
  func typedError() {
    do throws(PipelineIssue) {
      _ = try Pipeline(over: ScriptedDispatcher()) {
        Checked(stage: .logging)
        Checked()
      }
      Issue.record("The order is wrong.")
    } catch {
      #expect(error.faults.count == 1)
    }
    #expect(throws: PipelineIssue.self) {
      try Pipeline(over: ScriptedDispatcher()) {
        Checked(stage: .logging)
        try Checked(isValid: true)
      }
    }
  }

  @Test("B5: An interceptor can change the request, and only the steps after it see the change")
  func changedRequest() async throws {
    let dispatcher = ScriptedDispatcher()
    let seenOutside = Journal()
    let pipeline = try Pipeline(over: dispatcher) {
      InlineInterceptor("outer", stage: .validation) { request, next in
        let response = try await next.dispatch(request)
        seenOutside.note(request.head.headerFields[.userAgent] ?? "none")
        return response
      }
      InlineInterceptor("inner", stage: .signing) { request, next in
        var request = request
        request.head.headerFields[.userAgent] = "changed"
        return try await next.dispatch(request)
      }
    }
    _ = try await pipeline.send(.example)
    #expect(dispatcher.requests.map { $0.head.headerFields[.userAgent] } == ["changed"])
    #expect(seenOutside.lines == ["none"])
  }

  @Test("B5: An interceptor can change the response")
  func changedResponse() async throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      InlineInterceptor("changer", stage: .logging) { request, next in
        var response = try await next.dispatch(request)
        response.head.status = .accepted
        return response
      }
    }
    #expect(try await pipeline.send(.example).status == .accepted)
  }

  @Test("B5: An interceptor can respond by itself, and no step after it runs")
  func shortCircuit() async throws {
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) {
      InlineInterceptor("cache", stage: .caching) { _, _ in Response(status: .notModified) }
      InlineInterceptor("never", stage: .logging) { _, _ in throw Refusal(why: "must not run") }
    }
    let response = try await pipeline.send(.example)
    #expect(response.status == .notModified)
    #expect(response.exchange.attempts == 0)
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("B5: An interceptor can fail, and the error names it")
  func failure() async throws {
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) {
      InlineInterceptor("Guarding", stage: .validation) { _, _ in throw Refusal(why: "no") }
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.kind == .rejected)
    #expect(error.origin == .interceptor("Guarding"))
    #expect(error.underlying(as: Refusal.self) == Refusal(why: "no"))
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("B5: An interceptor can retry, and each attempt starts afresh")
  func retry() async throws {
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: number < 3 ? .serviceUnavailable : .ok)
    }
    let pipeline = try Pipeline(over: dispatcher) {
      Persisting(attempts: 5)
      InlineInterceptor("stamper", stage: .signing) { request, next in
        var request = request
        request.context[Stamps.self] += 1
        return try await next.dispatch(request)
      }
    }
    let response = try await pipeline.send(.example)
    #expect(response.status == .ok)
    #expect(response.exchange.attempts == 3)
    #expect(dispatcher.requests.map(\.attempt) == [1, 2, 3])
    #expect(dispatcher.requests.map { $0.context[Stamps.self] } == [1, 1, 1])
    #expect(Set(dispatcher.requests.map(\.id)).count == 1)
  }

  @Test("B5: An interceptor can suspend until another event has occurred")
  func suspension() async throws {
    let clock = TestClock()
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) {
      InlineInterceptor("waiter", stage: .validation) { request, next in
        try await clock.sleep(until: clock.now.advanced(by: .seconds(5)))
        return try await next.dispatch(request)
      }
    }
    async let response = pipeline.send(.example)
    try await clock.waitForSleepers()
    #expect(dispatcher.requests.isEmpty)
    clock.advance(by: .seconds(5))
    #expect(try await response.status == .ok)
    #expect(dispatcher.requests.count == 1)
  }

  @Test("An error of the dispatcher keeps its kind and names the dispatcher")
  func dispatcherError() async throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher(failing: NetworkError(.connect, "refused"))) {
      InlineInterceptor("bystander", stage: .logging) { request, next in try await next.dispatch(request) }
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.kind == .connect)
    #expect(error.origin == .dispatcher("ScriptedDispatcher"))
    #expect("\(error)" == "connect (ScriptedDispatcher): refused [GET https://estate.example/v1/houses]")
  }

  @Test("An error thrown after a response is marked as possibly processed")
  func failureAfterAnswer() async throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      InlineInterceptor("judge", stage: .validation) { request, next in
        _ = try await next.dispatch(request)
        throw Refusal(why: "bad response")
      }
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.requestMayHaveBeenProcessed)
    #expect(error.origin == .interceptor("judge"))
  }

  @Test("A cancelled task reaches no further interceptor, and ends with .cancelled")
  func cancellation() async throws {
    let clock = TestClock()
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) {
      InlineInterceptor("waiter", stage: .validation) { request, next in
        try? await clock.sleep(until: clock.now.advanced(by: .seconds(5)))
        return try await next.dispatch(request)
      }
    }
    let task = Task { try await pipeline.send(.example) }
    try await clock.waitForSleepers()
    task.cancel()
    let result = await task.result
    #expect(throws: NetworkError.self) { try result.get() }
    guard case .failure(let error as NetworkError) = result else { return }
    #expect(error.kind == .cancelled(.task))
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("Each step checks the cancellation of the task in which it runs, even if that is a child task")
  func cancelledChild() async throws {
    let journal = Journal()
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) {
      InlineInterceptor("hedge", stage: .retry) { request, next in
        let abandoned = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await next.dispatch(request)
        }
        let result = await abandoned.result
        #expect(throws: NetworkError.self) { try result.get() }
        return try await next.dispatch(request)
      }
      InlineInterceptor("inner", stage: .logging) { request, next in
        journal.note("inner")
        return try await next.dispatch(request)
      }
    }
    #expect(try await pipeline.send(.example).status == .ok)
    #expect(journal.lines == ["inner"])
    #expect(dispatcher.requests.count == 1)
  }

  @Test(
    "A task that is cancelled by an interceptor reaches no step after it, observed or not", arguments: 0..<4,
    [false, true])
  func cancelledWithin(place: Int, isObserved: Bool) async throws {
    let journal = Journal()
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher, observers: isObserved ? [TraceRecorder()] : []) {
      for number in 0..<4 {
        InlineInterceptor("\(number)", stage: .logging) { request, next in
          journal.note("\(number)")
          if number == place { withUnsafeCurrentTask { $0?.cancel() } }
          return try await next.dispatch(request)
        }
      }
    }
    let task = Task { try await pipeline.send(.example) }
    let result = await task.result
    let error = #expect(throws: NetworkError.self) { try result.get() }
    #expect(error?.kind == .cancelled(.task))
    #expect(error?.origin == .pipeline)
    #expect(journal.lines == (0...place).map(String.init))
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("A thrown CancellationError becomes .cancelled with the interceptor's name")
  func cancellationError() async throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      InlineInterceptor("quitter", stage: .retry) { _, _ in throw CancellationError() }
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.kind == .cancelled(.task))
    #expect(error.origin == .interceptor("quitter"))
  }

  @Test("A pipeline is a dispatcher, so that pipelines nest")
  func nesting() async throws {
    let journal = Journal()
    func noting(_ name: String) -> InlineInterceptor {
      InlineInterceptor(name, stage: .logging) { request, next in
        journal.note(name)
        return try await next.dispatch(request)
      }
    }
    let inner = try Pipeline(over: ScriptedDispatcher(capabilities: .connectTarget)) { noting("inner") }
    let outer = try Pipeline(over: inner) { noting("outer") }
    _ = try await outer.send(.example)
    #expect(journal.lines == ["outer", "inner"])
    #expect(outer.capabilities == .connectTarget)
  }

  @Test("A pipeline without interceptors acts as its dispatcher")
  func empty() async throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher(answering: Response(status: .created))) {}
    #expect(try await pipeline.send(.example).status == .created)
    #expect(pipeline.names.isEmpty)
  }

  @Test(
    "B1: A chain of any length runs in order, observed or not, and each error names the interceptor that threw it",
    arguments: [1, 7, 8, 9, 12, 63, 64, 65, 70], [false, true])
  func length(count: Int, isObserved: Bool) async throws {
    let journal = Journal()
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher, observers: isObserved ? [TraceRecorder()] : []) {
      for number in 0..<count {
        InlineInterceptor("\(number)", stage: .logging) { request, next in
          journal.note("\(number)")
          let response = try await next.dispatch(request)
          if request.head.path == "/\(number)" { throw Refusal(why: "\(number)") }
          return response
        }
      }
    }
    #expect(try await pipeline.send(Request(authority: "estate.example", path: "/")).exchange.attempts == 1)
    #expect(journal.lines == (0..<count).map(String.init))
    for number in 0..<count {
      let error = try await #require(throws: NetworkError.self) {
        try await pipeline.send(Request(authority: "estate.example", path: "/\(number)"))
      }
      #expect(error.origin == .interceptor("\(number)"))
      #expect(error.requestMayHaveBeenProcessed)
    }
    #expect(dispatcher.requests.count == count + 1)
  }

  @Test(
    "A streamed response is collected for the interceptor that reads it, wherever it is in the chain",
    arguments: [0, 3, 8, 11], [false, true])
  func limitedAnswer(place: Int, isObserved: Bool) async throws {
    let journal = Journal()
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(
        HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, ScriptedByteSource([[1], [2, 3]]))))
    }
    let recorder = TraceRecorder()
    let pipeline = try Pipeline(over: dispatcher, observers: isObserved ? [recorder] : []) {
      for number in 0..<12 {
        let limit = number == place ? 3 : nil
        InlineInterceptor(
          "\(number)", traits: InterceptorTraits(stage: .wire, allowsSeveral: true, responseBodyLimit: limit)
        ) { request, next in
          let response = try await next.dispatch(request)
          if case .bytes(let bytes) = response.body { journal.note("\(number): \(bytes)") }
          return response
        }
      }
    }
    _ = try await pipeline.send(.example)
    #expect(journal.lines == (0...place).reversed().map { "\($0): [1, 2, 3]" })
    let steps = isObserved ? (0..<12).map(String.init) + ["ScriptedDispatcher"] : []
    #expect(recorder.traces.flatMap(\.steps).map(\.name) == steps)
  }

  @Test(
    "A streamed response that is too long for the interceptor that reads it fails with that interceptor's name",
    arguments: [false, true])
  func tooLongAnswer(isObserved: Bool) async throws {
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(
        HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, ScriptedByteSource([[1, 2]]))))
    }
    let pipeline = try Pipeline(over: dispatcher, observers: isObserved ? [TraceRecorder()] : []) {
      Standing("Outer", .validation)
      Standing(
        "Reader", InterceptorTraits(stage: .caching, allowsSeveral: true, responseBodyLimit: 1))
      Standing("Inner", .logging)
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.kind == .bodyTooLarge(limit: 1))
    #expect(error.origin == .interceptor("Reader"))
    #expect(error.requestMayHaveBeenProcessed)
  }
}
