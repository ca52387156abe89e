import HTTPTypes
import Interception
import Logging
import SwitchyardTesting
import Synchronization
import Testing

@testable import RequestLogging

@Suite struct CallTrackerTests {
  @Test("Finished calls are removed, however they ended")
  func keepsNothing() async throws {
    let recorder = EventRecorder()
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      guard number % 3 != 0 else { throw NetworkError(.connect, "Connection refused.") }
      return Response(status: .ok)
    }
    let pipeline = try Pipeline(over: dispatcher, observers: [recorder]) {
      InlineInterceptor("L", stage: .logging) { request, next in try await next.dispatch(request) }
    }
    // Copies of a request share its id, so the same id is used concurrently.
    let request = Request(authority: "a.test", path: "/")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { _ = try? await pipeline.send(request) } }
    }
    var tracker = CallTracker()
    for event in recorder.events { _ = tracker.record(event, at: .zero) }
    #expect(recorder.events.count == 300)
    #expect(tracker.count == 0)
  }

  @Test("Turning the logger off during a call leaves no entry behind")
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
    _ = try await pipeline.send(Request(authority: "a.test", path: "/"))
    #expect(logging.tracker.withLock { $0.count } == 0)
    #expect(handler.lines == 0)
    handler.logLevel = .trace
    _ = try await Pipeline(over: ScriptedDispatcher()) { logging }.send(
      Request(authority: "a.test", path: "/"))
    #expect(handler.lines == 2)
  }

  @Test("An event of a call whose start wasn't observed is ignored")
  func unknownCall() async throws {
    let recorder = EventRecorder()
    _ = try await Pipeline(over: ScriptedDispatcher(), observers: [recorder]) {}
      .send(Request(authority: "a.test", path: "/"))
    var tracker = CallTracker()
    for event in recorder.events.dropFirst() { #expect(tracker.record(event, at: .zero) == nil) }
    #expect(tracker.count == 0)
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
