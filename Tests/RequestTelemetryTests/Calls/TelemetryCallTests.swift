import HTTPTypes
import InMemoryTracing
import Interception
import MetricsTestKit
import SwitchyardTesting
import Synchronization
import Testing
import Tracing

@testable import RequestTelemetry

@Suite(.timeLimit(.minutes(5))) struct TelemetryCallTests {
  private let metrics = TestMetrics()
  private let tracer = W3CTracer()

  private var telemetry: TelemetryInterceptor { TelemetryInterceptor(metrics: metrics, tracer: tracer) }

  @Test(
    "The requests of a call are counted until it ends, with a response or an error", arguments: [true, false])
  func sends(isAnswered: Bool) {
    let telemetry = telemetry
    let destination = telemetry.destination(of: Request(authority: "a.test", path: "/"))
    let call = TelemetryCall(of: telemetry, to: destination, startedAt: .zero, span: nil)
    #expect(call.noteSend() == 0)
    #expect(call.noteSend() == 1)
    let end: CallEvent =
      isAnswered
      ? .delivered(Response(status: .ok), stream: nil) : .refused(NetworkError(.rejected, "No."))
    call.record(end, at: .zero)
    #expect(call.noteSend() == nil)
    #expect(metrics.timers(label: "switchyard.call.duration").count == 1)
  }

  @Test("Concurrent calls with copies of one request count their own requests")
  func copies() async throws {
    let telemetry = telemetry
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      InlineInterceptor("Again", stage: .retry) { request, next in
        _ = try await next.dispatch(request)
        return try await next.dispatch(request)
      }
      telemetry
    }
    let request = Request(authority: "a.test", path: "/")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { _ = try? await pipeline.send(request) } }
    }
    let clients = tracer.ended(.client)
    let resent = clients.compactMap { $0.attributes["http.request.resend_count"]?.toSpanAttribute() }
    #expect(clients.count == 100)
    #expect(resent == Array(repeating: .int64(1), count: 50))
    let counts = Dictionary(grouping: clients, by: \.parentSpanID).values.map(\.count)
    #expect(counts == Array(repeating: 2, count: 50))
  }

  @Test("A request that is sent after its call has ended belongs to no call")
  func afterTheEnd() async throws {
    let telemetry = telemetry
    let revalidation = Mutex<Task<Void, Never>?>(nil)
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      InlineInterceptor("Stale", stage: .caching) { request, next in
        let task = Task {
          for await _ in gate { break }
          _ = try? await next.dispatch(request)
        }
        revalidation.withLock { $0 = task }
        return Response(HTTPResponse(status: .ok), exchange: Exchange(cache: .hit(ttl: -1)))
      }
      telemetry
    }
    _ = try await pipeline.send(Request(authority: "a.test", path: "/"))
    let call = try #require(tracer.ended(.internal).first)
    opening.yield()
    await revalidation.withLock { $0 }?.value
    let client = try #require(tracer.ended(.client).first)
    #expect(client.parentSpanID != call.spanID)
    #expect(client.attributes["http.request.resend_count"] == nil)
    #expect(tracer.ended(.internal).map { $0.events.map(\.name) } == [["cache hit"]])
  }

  @Test("An interceptor of two pipelines, one over the other, counts a request for the inner call")
  func nested() async throws {
    let telemetry = telemetry
    let inner = try Pipeline(over: ScriptedDispatcher()) { telemetry }
    let outer = try Pipeline(over: inner, observers: [telemetry]) {}
    _ = try await outer.send(Request(authority: "a.test", path: "/"))
    let calls = tracer.ended(.internal)
    #expect(calls.map(\.events.count) == [1, 0])
    #expect(tracer.ended(.client).map(\.parentSpanID) == [calls.first?.spanID])
  }

  @Test("Two interceptors in the way of a request report to their own backends")
  func two() async throws {
    let (otherMetrics, otherTracer) = (TestMetrics(), W3CTracer())
    let (first, second) = (telemetry, TelemetryInterceptor(metrics: otherMetrics, tracer: otherTracer))
    let inner = try Pipeline(over: ScriptedDispatcher()) { second }
    let pipeline = try Pipeline(over: inner) { first }
    for _ in 0..<2 { _ = try await pipeline.send(Request(authority: "a.test", path: "/")) }
    for (metrics, tracer) in [(metrics, tracer), (otherMetrics, otherTracer)] {
      #expect(metrics.timers(label: "http.client.request.duration").map(\.values.count) == [2])
      #expect(metrics.timers(label: "switchyard.call.duration").map(\.values.count) == [2])
      #expect(tracer.ended(.client).count == 2)
      #expect(tracer.ended(.internal).count == 2)
    }
  }
}
