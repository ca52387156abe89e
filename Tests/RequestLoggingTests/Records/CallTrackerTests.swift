import HTTPTypes
import Interception
import Logging
import SwitchyardTesting
import Synchronization
import Testing

@testable import RequestLogging

@Suite(.timeLimit(.minutes(5))) struct CallTrackerTests {
  private let request = Request(authority: "a.test", path: "/")

  /// Keeps the calls that its trackers find.
  private final class Calls: CallLogging {
    let time = TimeSource(TestClock())
    private let found = Mutex<[CallTracker.FinishedCall]>([])

    var calls: [CallTracker.FinishedCall] { found.withLock { $0 } }

    func log(_ call: CallTracker.FinishedCall) { found.withLock { $0.append(call) } }
  }

  @Test("A call is logged only if its attempts don't say how it ended")
  func reasons() {
    let refused = NetworkError(.rejected, "No.")
    var cached = Response(status: .ok)
    cached.exchange.cache = .hit(ttl: 1)
    let cases: [(end: CallEvent, isSent: Bool, logged: NetworkError?, count: Int)] = [
      (.delivered(Response(status: .ok), stream: nil), true, nil, 0),
      (.delivered(Response(status: .ok), stream: nil), false, nil, 1),
      (.delivered(cached, stream: nil), false, nil, 1), (.delivered(cached, stream: nil), true, nil, 1),
      (.refused(refused), false, nil, 1), (.refused(refused), true, nil, 1),
      (.refused(refused), true, refused, 0),
      (.refused(refused), true, NetworkError(.connect, "Refused."), 1),
    ]
    for (end, isSent, logged, count) in cases {
      let log = Calls()
      let tracker = CallTracker(of: request, for: log)
      if isSent { tracker.noteAttempt(of: request.asAttempt(2)) }
      if let logged { tracker.noteFailure(logged) }
      tracker.record(end, at: .zero)
      #expect(log.calls.count == count, "\(end)")
      #expect(log.calls.allSatisfy { $0.request.attempt == (isSent ? 2 : 1) && $0.called.attempt == 1 })
    }
  }

  @Test("A later attempt replaces the failure of an earlier one")
  func laterAttempt() {
    let (log, error) = (Calls(), NetworkError(.connect, "Refused."))
    let tracker = CallTracker(of: request, for: log)
    tracker.noteAttempt(of: request)
    tracker.noteFailure(error)
    tracker.noteAttempt(of: request.asAttempt(2))
    tracker.record(.refused(error), at: .zero)
    #expect(log.calls.count == 1)
  }

  @Test("Concurrent calls with copies of one request are kept apart")
  func copies() async throws {
    let handler = AdjustableHandler()
    let logging = LoggingInterceptor(logger: Logger(label: "test") { _ in handler })
    let pipeline = try Pipeline(over: ScriptedDispatcher(failing: NetworkError(.connect, "Refused."))) {
      logging
    }
    await withTaskGroup(of: Void.self) { [request] group in
      for _ in 0..<50 { group.addTask { _ = try? await pipeline.send(request) } }
    }
    // Each failure is logged by its attempt, and not again by its call.
    #expect(handler.lines == 100)
  }

  @Test("A tracker is released when its call has ended, however it ended", arguments: [true, false])
  func release(isAnswered: Bool) async throws {
    weak var tracker: CallTracker?
    let logging = LoggingInterceptor(logger: Logger(label: "test") { _ in AdjustableHandler() })
    do {
      let found = Mutex<CallTracker?>(nil)
      let pipeline = try Pipeline(over: ScriptedDispatcher()) {
        InlineInterceptor("Finding", stage: .validation) { request, next in
          found.withLock { $0 = logging.tracker(in: next) }
          guard isAnswered else { throw NetworkError(.rejected, "No.") }
          return try await next.dispatch(request)
        }
        logging
      }
      _ = try? await pipeline.send(request)
      tracker = found.withLock { $0 }
      #expect(tracker != nil)
    }
    #expect(tracker == nil)
  }

  @Test("Turning the logger off during a call logs nothing more of it")
  func turnedOff() async throws {
    let handler = AdjustableHandler()
    let logging = LoggingInterceptor(logger: Logger(label: "test") { _ in handler })
    let turningOff = InlineInterceptor("Off", stage: .caching) { request, next in
      handler.logLevel = .critical
      return try await next.dispatch(request)
    }
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      turningOff
      logging
    }
    _ = try await pipeline.send(request)
    #expect(handler.lines == 0)
    handler.logLevel = .trace
    _ = try await Pipeline(over: ScriptedDispatcher()) { logging }.send(request)
    #expect(handler.lines == 2)
  }

  @Test("Turning the logger on during a call logs its attempts")
  func turnedOn() async throws {
    let handler = AdjustableHandler()
    handler.logLevel = .critical
    let logging = LoggingInterceptor(logger: Logger(label: "test") { _ in handler })
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      InlineInterceptor("On", stage: .caching) { request, next in
        handler.logLevel = .trace
        return try await next.dispatch(request)
      }
      logging
    }
    _ = try await pipeline.send(request)
    #expect(handler.lines == 2)
  }
}

/// A log handler whose level can be changed while in use, as in an app's debug menu.
private final class AdjustableHandler: LogHandler {
  private let level = Mutex(Logger.Level.trace)
  private let count = Atomic(0)

  var lines: Int { count.load(ordering: .relaxed) }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { level.withLock { $0 } }
    set { level.withLock { $0 = newValue } }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) { count.add(1, ordering: .relaxed) }
}
