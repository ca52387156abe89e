import HTTPTypes
import SwitchyardTesting
import Synchronization
import Testing

@testable import Interception

@Suite(.timeLimit(.minutes(5))) struct CallRecorderTests {
  @Test("A recorder receives the messages of each attempt and what the caller receives, in order")
  func messages() async throws {
    let observer = RecordingObserver()
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: number == 1 ? .serviceUnavailable : .ok, bytes: [UInt8](repeating: 7, count: number))
    }
    let pipeline = try Pipeline(over: dispatcher, observers: [observer]) {
      InlineInterceptor("Again", stage: .retry) { request, next in
        _ = try await next.dispatch(request)
        var again = request.asAttempt(2)
        again.head.headerFields[.accept] = "text/plain"
        return try await next.dispatch(again)
      }
    }
    let response = try await pipeline.send(.example)
    #expect(response.status == .ok)
    #expect(
      observer.lines == [
        "started", "sent 0 attempt 1", "received 0 with 503, 1 bytes", "sent 1 attempt 2",
        "received 1 with 200, 2 bytes", "delivered 200",
      ])
  }

  @Test("A recorder of steps receives frames with their parents, and other observers none")
  func steps() async throws {
    let observer = RecordingObserver(recordsSteps: true)
    let other = StartsAndEnds()
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [observer, other]) {
      Standing("Outer", .validation)
      Standing("Inner", .logging)
    }
    _ = try await pipeline.send(.example)
    #expect(
      observer.lines == [
        "started", "entered Outer as 0 in nothing", "entered Inner as 1 in 0",
        "entered ScriptedDispatcher as 2 in 1", "sent 0 attempt 1", "received 0 with 200, 0 bytes",
        "left 2", "left 1", "left 0", "delivered 200",
      ])
    #expect(other.lines == ["started", "finished"])
  }

  @Test("A stream is sampled up to the limit, and its consumer receives all of it")
  func stream() async throws {
    let observer = RecordingObserver(sampleLimit: 3)
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(
        HTTPResponse(status: .ok),
        body: .stream(BodyStream(length: nil, ScriptedByteSource([[1, 2], [3, 4], [5]]))))
    }
    let pipeline = try Pipeline(over: dispatcher, observers: [observer]) {}
    let response = try await pipeline.send(.example)
    #expect(observer.lines.last == "delivered 200 as stream of 0")
    #expect(try await response.body.collect(upTo: 10) == [1, 2, 3, 4, 5])
    #expect(observer.lines.last == "streamed 5 bytes of 0, [1, 2, 3] complete")
  }

  @Test("A stream that an interceptor replaced is sampled for the caller, too")
  func replacedStream() async throws {
    let observer = RecordingObserver(sampleLimit: 3)
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(
        HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, ScriptedByteSource([[1, 2]]))))
    }
    let pipeline = try Pipeline(over: dispatcher, observers: [observer]) {
      InlineInterceptor("Wrapping", stage: .logging) { request, next in
        var response = try await next.dispatch(request)
        if case .stream(let stream) = response.body {
          response.body = .stream(BodyStream(length: 2, ending: stream.ending, try stream.claim()))
        }
        return response
      }
    }
    let response = try await pipeline.send(.example)
    _ = try await response.body.collect(upTo: 10)
    #expect(
      observer.lines.suffix(3) == [
        "delivered 200", "streamed 2 bytes of 0, [1, 2] complete",
        "streamed 2 bytes of the caller, [1, 2] complete",
      ])
  }

  @Test("Releasing a recorded stream cancels its transfer at once")
  func releasing() async throws {
    let observer = RecordingObserver()
    let isCancelled = Mutex(false)
    let source = CancellableSource { isCancelled.withLock { $0 = true } }
    let pipeline = try Pipeline(
      over: ScriptedDispatcher { _, _ throws(NetworkError) in
        Response(HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, source)))
      }, observers: [observer]
    ) {}
    var response: Response? = try await pipeline.send(.example)
    #expect(response?.status == .ok)
    response = nil
    #expect(isCancelled.withLock { $0 })
    #expect(observer.lines.last == "streamed 0 bytes of 0, [] dropped")
  }

  @Test("Failures of the dispatcher and of the call are recorded")
  func failures() async throws {
    let observer = RecordingObserver()
    let failing = ScriptedDispatcher(failing: NetworkError(.resolve, "no such host"))
    let pipeline = try Pipeline(over: failing, observers: [observer]) {}
    _ = try? await pipeline.send(.example)
    #expect(observer.lines == ["started", "sent 0 attempt 1", "failed 0 with resolve", "refused resolve"])
  }

  @Test("A pipeline passes its circuit breakers to observers that record calls, also limited ones")
  func circuits() async throws {
    let observer = RecordingObserver()
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [observer]) {
      Breaker("a").only(for: .service("b"))
      InlineInterceptor("Other", stage: .caching) { try await $1.dispatch($0) }
    }
    _ = try await pipeline.send(.example)
    #expect(observer.circuitNames.withLock { $0 } == ["a"])
  }

  @Test("A recorder without messages receives the end of its call alone, and no stream is sampled for it")
  func endsOnly() async throws {
    let observer = EndObserver()
    let stream = BodyStream(length: nil, ScriptedByteSource([[1]]))
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      guard number == 1 else { throw NetworkError(.resolve, "no such host") }
      return Response(HTTPResponse(status: .ok), body: .stream(stream))
    }
    let pipeline = try Pipeline(over: dispatcher, observers: [observer]) { Standing("Inner", .logging) }
    let response = try await pipeline.send(.example)
    guard case .stream(let delivered) = response.body else {
      Issue.record("The stream was turned into bytes.")
      return
    }
    #expect(delivered === stream)
    #expect(observer.lines == ["delivered 200"])
    _ = try? await pipeline.send(.example)
    #expect(observer.lines == ["delivered 200", "refused resolve"])
  }

  @Test("Recorders of messages, recorders of ends and observers of steps each receive their own events")
  func mixed() async throws {
    let (ends, messages, steps) = (EndObserver(), RecordingObserver(), EventRecorder())
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [ends, messages, steps]) {
      Standing("Inner", .logging)
    }
    _ = try await pipeline.send(.example)
    #expect(ends.lines == ["delivered 200"])
    #expect(messages.lines.first == "started" && messages.lines.last == "delivered 200")
    #expect(messages.lines.contains("sent 0 attempt 1"))
    #expect(steps.lines.contains("entered Inner") && steps.lines.last == "finished")
  }

  @Test("An interceptor finds the recorders of its own call, and none outside of an observed pipeline")
  func found() async throws {
    let observer = EndObserver()
    let counts = Mutex<[Int]>([])
    let recorders = Mutex<Set<ObjectIdentifier>>([])
    let finding = InlineInterceptor("Finding", stage: .logging) { request, next in
      let found = next.callRecorders
      counts.withLock { $0.append(found.count) }
      recorders.withLock { all in
        for recorder in found { all.insert(ObjectIdentifier(recorder)) }
      }
      return try await next.dispatch(request)
    }
    let observed = try Pipeline(over: ScriptedDispatcher(), observers: [observer]) {
      Persisting(attempts: 2)
      finding
    }
    // The observer keeps them, so that they differ as objects.
    for _ in 0..<2 { _ = try await observed.send(.example) }
    #expect(observer.recorders.count == 2 && recorders.withLock { $0.count } == 2)
    // The inner pipeline has a call of its own, which is not observed.
    let inner = try Pipeline(over: ScriptedDispatcher()) { finding }
    _ = try await Pipeline(over: inner, observers: [observer]) {}.send(.example)
    _ = try await finding.intercept(.example, next: ScriptedDispatcher())
    #expect(counts.withLock { $0 } == [1, 1, 0, 0])
  }

  @Test("An observer that declines a call costs it nothing and receives nothing")
  func declining() async throws {
    let observer = RecordingObserver(declines: true)
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [observer]) {}
    _ = try await pipeline.send(.example)
    #expect(observer.lines.isEmpty)
  }
}

/// An interceptor with a circuit breaker.
private final class Breaker: Interceptor, CircuitReporter {
  let traits = InterceptorTraits(stage: .retry)
  let watchesOrigins = true
  let circuits: [CircuitStatus]

  init(_ origin: String) { circuits = [CircuitStatus(name: origin, state: .closed, failures: 1)] }

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    try await next.dispatch(request)
  }
}

/// Writes the events of all calls down as lines.
private final class RecordingObserver: CallObserver {
  let circuitNames = Mutex<[String]>([])
  private let log = Log()
  private let recordsSteps: Bool
  private let sampleLimit: Int
  private let declines: Bool

  init(recordsSteps: Bool = false, sampleLimit: Int = 8, declines: Bool = false) {
    (self.recordsSteps, self.sampleLimit, self.declines) = (recordsSteps, sampleLimit, declines)
  }

  var lines: [String] { log.lines.withLock { $0 } }

  func observe(_ event: PipelineEvent) { Issue.record("a call observer received \(event)") }

  func note(_ circuits: [any CircuitReporter]) {
    circuitNames.withLock { $0 += circuits.flatMap { $0.circuits.map(\.name) } }
  }

  func recorder(of request: Request, at time: Duration, by clock: TimeSource) -> (any CallRecorder)? {
    guard !declines else { return nil }
    log.write("started")
    return LineRecorder(log: log, recordsSteps: recordsSteps, sampleLimit: sampleLimit)
  }
}

/// Writes down how calls end.
private final class EndObserver: CallObserver {
  private let log = Log()
  private let all = Mutex<[any CallRecorder]>([])

  var lines: [String] { log.lines.withLock { $0 } }
  var recorders: [any CallRecorder] { all.withLock { $0 } }

  func observe(_ event: PipelineEvent) { Issue.record("a call observer received \(event)") }

  func recorder(of request: Request, at time: Duration, by clock: TimeSource) -> (any CallRecorder)? {
    let recorder = EndRecorder(log: log)
    all.withLock { $0.append(recorder) }
    return recorder
  }
}

private final class EndRecorder: CallEndRecorder {
  private let log: Log

  init(log: Log) { self.log = log }

  func record(_ event: CallEvent, at time: Duration) {
    switch event {
    case .delivered(let response, _): log.write("delivered \(response.status.code)")
    case .refused(let error): log.write("refused \(error.label)")
    default: Issue.record("a recorder of ends received \(event)")
    }
  }
}

private final class Log: Sendable {
  let lines = Mutex<[String]>([])
  func write(_ line: String) { lines.withLock { $0.append(line) } }
}

private final class LineRecorder: CallRecorder {
  let log: Log
  let recordsSteps: Bool
  let sampleLimit: Int

  init(log: Log, recordsSteps: Bool, sampleLimit: Int) {
    (self.log, self.recordsSteps, self.sampleLimit) = (log, recordsSteps, sampleLimit)
  }

  func record(_ event: CallEvent, at time: Duration) { log.write(line(of: event)) }

  private func line(of event: CallEvent) -> String {
    switch event {
    case .entered(let step, let frame, let parent, _):
      "entered \(step.name) as \(frame) in \(parent.map(String.init) ?? "nothing")"
    case .left(let frame, _, _, _): "left \(frame)"
    case .sent(let request, let exchange): "sent \(exchange) attempt \(request.attempt)"
    case .received(let response, let exchange):
      "received \(exchange) with \(response.status.code), \(response.body.length ?? -1) bytes"
    case .failed(let error, let exchange): "failed \(exchange) with \(error.label)"
    case .streamed(let sample, let exchange):
      "streamed \(sample.count) bytes of \(exchange.map(String.init) ?? "the caller"), "
        + "\(sample.bytes) \(sample.ending)"
    case .transported(_, let exchange): "transported \(exchange)"
    case .delivered(let response, let stream):
      "delivered \(response.status.code)" + (stream.map { " as stream of \($0)" } ?? "")
    case .refused(let error): "refused \(error.label)"
    }
  }
}

/// Wants no events of steps.
private final class StartsAndEnds: SelectiveObserver {
  private let recorder = EventRecorder()
  var observesSteps: Bool { false }
  var lines: [String] { recorder.lines }
  func observe(_ event: PipelineEvent) { recorder.observe(event) }
}

private final class CancellableSource: ByteSource {
  private let whenCancelled: @Sendable () -> Void
  init(whenCancelled: @escaping @Sendable () -> Void) { self.whenCancelled = whenCancelled }
  func read() async throws(NetworkError) -> [UInt8]? { nil }
  func cancel() { whenCancelled() }
}
