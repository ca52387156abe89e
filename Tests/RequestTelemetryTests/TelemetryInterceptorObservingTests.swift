import HTTPTypes
import InMemoryTracing
import Interception
import MetricsTestKit
import RequestTelemetry
import SwitchyardTesting
import Testing
import Tracing

@Suite(.timeLimit(.minutes(5))) struct TelemetryInterceptorObservingTests {
  private let metrics = TestMetrics()
  private let tracer = W3CTracer()

  private func send(over dispatcher: some Dispatcher = ScriptedDispatcher(), _ outer: InlineInterceptor)
    async throws
  {
    var request = Request(authority: "api.test", path: "/houses")
    request.context.api = APIIdentity(service: "estate", name: "houses.list")
    let telemetry = TelemetryInterceptor(
      metrics: metrics, tracer: tracer, time: TimeSource(TestClock()))
    _ = try await Pipeline(over: dispatcher) {
      outer
      telemetry
    }.send(request)
  }

  private func callTimer(_ source: String, _ status: String, _ error: String = "none") throws -> TestTimer {
    try metrics.expectTimer(
      "switchyard.call.duration",
      [
        ("peer.service", "estate"), ("switchyard.api", "houses.list"), ("switchyard.source", source),
        ("http.response.status_class", status), ("error.type", error),
      ])
  }

  @Test("H7: A cache hit, which sends nothing, is an event of the call's span and counted")
  func cacheHit() async throws {
    try await send(
      InlineInterceptor("Cache", stage: .caching) { _, _ in
        Response(HTTPResponse(status: .ok), exchange: Exchange(cache: .hit(ttl: 54)))
      })
    #expect(tracer.ended(.client).isEmpty)
    let call = try #require(tracer.ended(.internal).first)
    #expect(call.operationName == "estate/houses.list")
    #expect(call.events.map(\.name) == ["cache hit"])
    #expect(call.events.first?.attributes["cache.status"]?.toSpanAttribute() == .string("hit; ttl=54"))
    #expect(try callTimer("cache", "2xx").values.count == 1)
    #expect(metrics.timers(label: "http.client.request.duration").isEmpty)
  }

  @Test("H7: Every attempt has a client span with its resend count, and is an event of the call's span")
  func attempts() async throws {
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      switch number {
      case 1: throw NetworkError(.connect, "Connection refused.")
      case 2: return Response(status: .serviceUnavailable)
      default: return Response(status: .ok)
      }
    }
    let retry = InlineInterceptor("Retry", stage: .retry) { request, next in
      _ = try? await next.dispatch(request)
      _ = try await next.dispatch(request.asAttempt(2))
      // As after a renewed credential: sent again within the same attempt.
      return try await next.dispatch(request.asAttempt(2))
    }
    try await send(over: dispatcher, retry)
    let counts: [SpanAttribute?] = [nil, .int64(1), .int64(2)]
    let clients = tracer.ended(.client)
    #expect(clients.map { $0.attributes["http.request.resend_count"]?.toSpanAttribute() } == counts)
    let call = try #require(tracer.ended(.internal).first)
    #expect(clients.allSatisfy { $0.parentSpanID == call.spanID && $0.traceID == call.traceID })
    #expect(call.events.map(\.name) == ["request", "request", "request"])
    let outcomes: [SpanAttribute?] = [.string("connect"), .string("503"), nil]
    #expect(call.events.map { $0.attributes["error.type"]?.toSpanAttribute() } == outcomes)
    #expect(call.status == nil)
    #expect(try callTimer("network", "2xx").values.count == 1)
    #expect(Set(dispatcher.requests.map { $0.head.headerFields }).count == 3)
  }

  @Test("A revalidated response was sent for and is a cache hit")
  func revalidated() async throws {
    try await send(
      InlineInterceptor("Cache", stage: .caching) { request, next in
        var response = try await next.dispatch(request)
        response.exchange.cache = .revalidated()
        return response
      })
    let call = try #require(tracer.ended(.internal).first)
    #expect(call.events.map(\.name) == ["request", "cache hit"])
    #expect(try callTimer("cache", "2xx").values.count == 1)
  }

  @Test("A call that is refused further out is counted as a failure without a source")
  func refused() async throws {
    await #expect(throws: NetworkError.self) {
      try await send(
        InlineInterceptor("Validation", stage: .validation) { _, _ in
          throw NetworkError(.rejected, "The method is unknown; use another one.")
        })
    }
    #expect(try callTimer("none", "none", "rejected").values.count == 1)
    #expect(tracer.ended(.internal).first?.status == SpanStatus(code: .error, message: "rejected"))
    #expect(tracer.spans.activeSpans.isEmpty)
  }

  @Test("Concurrent calls each have spans of their own")
  func concurrency() async throws {
    let telemetry = TelemetryInterceptor(metrics: metrics, tracer: tracer)
    let pipeline = try Pipeline(over: ScriptedDispatcher()) { telemetry }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask { _ = try? await pipeline.send(Request(authority: "a.test", path: "/\(number)")) }
      }
    }
    let calls = Set(tracer.ended(.internal).map(\.spanID))
    #expect(calls.count == 100)
    #expect(Set(tracer.ended(.client).compactMap(\.parentSpanID)) == calls)
    #expect(tracer.spans.activeSpans.isEmpty)
  }
}
