import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@Suite("Observers", .timeLimit(.minutes(5)))
struct PipelineObserverTests {
  @Test("Every step is reported in the order in which it occurred")
  func sequence() async throws {
    let recorder = EventRecorder()
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [recorder]) {
      Standing("Validator", .validation)
      Standing("Logger", .logging)
    }
    _ = try await pipeline.send(.example)
    #expect(
      recorder.lines == [
        "started", "entered Validator", "entered Logger", "entered ScriptedDispatcher",
        "left ScriptedDispatcher", "left Logger", "left Validator", "finished",
      ])
  }

  @Test("A failure is reported for every step that passed it on")
  func failure() async throws {
    let recorder = EventRecorder()
    let failing = ScriptedDispatcher(failing: NetworkError(.resolve, "no such host"))
    let pipeline = try Pipeline(over: failing, observers: [recorder]) { Standing("Validator", .validation) }
    _ = try? await pipeline.send(.example)
    #expect(
      recorder.lines == [
        "started", "entered Validator", "entered ScriptedDispatcher", "failed ScriptedDispatcher",
        "failed Validator", "finished with an error",
      ])
  }

  @Test("Each step's own time is measured with the pipeline's clock")
  func ownTimes() async throws {
    let clock = TestClock()
    let recorder = TraceRecorder()
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      clock.advance(by: .seconds(30))
      return Response(status: .ok)
    }
    let pipeline = try Pipeline(over: dispatcher, observers: [recorder], time: TimeSource(clock)) {
      InlineInterceptor("slow", stage: .validation) { request, next in
        clock.advance(by: .seconds(1))
        let response = try await next.dispatch(request)
        clock.advance(by: .seconds(2))
        return response
      }
    }
    _ = try await pipeline.send(.example)
    let trace = try #require(recorder.traces.first)
    #expect(trace.steps.map(\.name) == ["slow", "ScriptedDispatcher"])
    #expect(trace.steps.map(\.own) == [.seconds(3), .seconds(30)])
    #expect(trace.steps.map(\.total) == [.seconds(33), .seconds(30)])
  }

  @Test("An interceptor that is an observer receives events without being listed again")
  func interceptorAsObserver() async throws {
    let watching = Watching()
    let pipeline = try Pipeline(over: ScriptedDispatcher()) { watching }
    _ = try await pipeline.send(.example)
    #expect(watching.recorder.lines.first == "started")
    #expect(watching.recorder.lines.last == "finished")
  }

  @Test("An observer that is not observing is queried once per request, and no clock is read")
  func notObserving() async throws {
    let (idle, recorder) = (Idle(), EventRecorder())
    let alone = try Pipeline(
      over: ScriptedDispatcher(), observers: [idle], time: TimeSource(CountedClock(reads: idle.reads))
    ) {
      Standing("Validator", .validation)
    }
    _ = try await alone.send(.example)
    #expect(idle.questions == 1)
    // The time source reads its clock once, when it is created.
    #expect(idle.reads.count == 1)
    #expect(idle.recorder.lines.isEmpty)
    let both = try Pipeline(over: ScriptedDispatcher(), observers: [idle, recorder]) {
      Standing("Validator", .validation)
    }
    _ = try await both.send(.example)
    #expect(idle.questions == 2)
    #expect(idle.recorder.lines.isEmpty)
    #expect(recorder.lines.last == "finished")
  }

  @Test("The cache status is reported once, even if nothing was sent")
  func cacheStatus() async throws {
    let recorder = EventRecorder()
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [recorder]) {
      Standing("Validator", .validation)
      InlineInterceptor("Cache", stage: .caching) { _, _ in
        var response = Response(status: .ok)
        response.exchange.cache = .hit(ttl: 9)
        return response
      }
    }
    _ = try await pipeline.send(.example)
    #expect(recorder.lines.filter { $0.hasPrefix("cache") } == ["cache hit; ttl=9"])
  }

  @Test("Observers of calls receive start, cache status and end; the steps aren't measured")
  func callsOnly() async throws {
    let (first, second, reads) = (CallWatching(), CallWatching(), Counter())
    let pipeline = try Pipeline(
      over: ScriptedDispatcher(), observers: [first, second], time: TimeSource(CountedClock(reads: reads))
    ) {
      InlineInterceptor("Cache", stage: .caching) { request, next in
        var response = try await next.dispatch(request)
        response.exchange.cache = .revalidated()
        return response
      }
    }
    _ = try await pipeline.send(.example)
    for observer in [first, second] {
      #expect(
        observer.recorder.lines == ["started", "cache fwd=stale; fwd-status=304; stored", "finished"])
    }
    // The time source reads its clock once, when it is created.
    #expect(reads.count == 1)
  }

  @Test("A failed call ends for observers of calls, too")
  func failedCall() async throws {
    let observer = CallWatching()
    let failing = ScriptedDispatcher(failing: NetworkError(.resolve, "no such host"))
    let pipeline = try Pipeline(over: failing, observers: [observer]) {}
    _ = try? await pipeline.send(.example)
    #expect(observer.recorder.lines == ["started", "finished with an error"])
  }

  @Test("Beside an observer of steps, an observer of calls receives the cache status once")
  func besideSteps() async throws {
    let (calls, steps) = (CallWatching(), EventRecorder())
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [calls, steps]) {
      InlineInterceptor("Cache", stage: .caching) { _, _ in
        Response(HTTPResponse(status: .ok), exchange: Exchange(cache: .hit(ttl: 9)))
      }
    }
    _ = try await pipeline.send(.example)
    #expect(calls.recorder.lines == steps.lines)
    #expect(steps.lines == ["started", "entered Cache", "cache hit; ttl=9", "left Cache", "finished"])
  }

  @Test("A stream's transport report is delivered when the stream has ended")
  func streamedTransport() async throws {
    let recorder = EventRecorder()
    let ending = BodyStream.Ending()
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      let stream = BodyStream(length: nil, ending: ending, ScriptedByteSource([[1]]))
      return Response(HTTPResponse(status: .ok), body: .stream(stream))
    }
    let pipeline = try Pipeline(over: dispatcher, observers: [recorder]) {}
    let response = try await pipeline.send(.example)
    #expect(!recorder.lines.contains("transport"))
    ending.finish(trailers: [.eTag: "x"], transport: TransportReport(remoteAddress: "127.0.0.1:1"))
    #expect(recorder.lines.last == "transport")
    #expect(response.trailers?[.eTag] == "x")
    #expect(response.exchange.transport?.remoteAddress == "127.0.0.1:1")
  }

  @Test("A summary contains no query, header field or user name")
  func summary() {
    let request = Request(
      authority: "user:secret@estate.example", path: "/v1?token=secret",
      headerFields: [.authorization: "secret"])
    #expect(!"\(Request.Summary(request))".contains("secret"))
    #expect(Request.Summary(request).authority == "estate.example")
    #expect(Request.Summary(request).path == "/v1")
  }

  @Test("A summary contains no query or user name whose separator is followed by a combining character")
  func combinedSeparators() {
    let request = Request(authority: "secret@\u{301}estate.example", path: "/v1?\u{301}secret")
    #expect(Request.Summary(request).path == "/v1")
    #expect(!Request.Summary(request).authority.contains("secret"))
  }
}

/// An interceptor that is also an observer.
private struct Watching: Interceptor, PipelineObserver {
  let recorder = EventRecorder()
  let traits = InterceptorTraits(stage: .logging)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    try await next.dispatch(request)
  }

  func observe(_ event: PipelineEvent) { recorder.observe(event) }
}

/// An observer that wants no events of steps.
private struct CallWatching: SelectiveObserver {
  let recorder = EventRecorder()
  var observesSteps: Bool { false }

  func observe(_ event: PipelineEvent) { recorder.observe(event) }
}

/// An observer that is turned off.
private final class Idle: SelectiveObserver {
  let recorder = EventRecorder()
  let reads = Counter()
  private let asked = Counter()

  var questions: Int { asked.count }

  var isObserving: Bool {
    asked.add()
    return false
  }

  func observe(_ event: PipelineEvent) { recorder.observe(event) }
}

private final class Counter: Sendable {
  private let number = Atomic(0)

  var count: Int { number.load(ordering: .relaxed) }

  func add() { number.add(1, ordering: .relaxed) }
}

/// A clock that counts its reads.
private struct CountedClock: Clock {
  let reads: Counter

  var now: ContinuousClock.Instant {
    reads.add()
    return ContinuousClock.now
  }

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
}
