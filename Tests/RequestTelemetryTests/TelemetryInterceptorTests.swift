import HTTPTypes
import InMemoryTracing
import Interception
import Metrics
import MetricsTestKit
import RedirectFollowing
import RequestTelemetry
import SwitchyardTesting
import Testing
import Tracing

@Suite(.timeLimit(.minutes(5))) struct TelemetryInterceptorTests {
  private let metrics = TestMetrics()
  private let tracer = W3CTracer()
  private let clock = TestClock()

  private var telemetry: TelemetryInterceptor {
    TelemetryInterceptor(
      metrics: metrics, tracer: tracer, showingQueryValuesOf: ["page"], time: TimeSource(clock))
  }

  private func request(_ path: String = "/houses") -> Request {
    var request = Request(authority: "api.test", path: path)
    request.context.api = APIIdentity(service: "estate", name: "houses.list")
    return request
  }

  private let report = TransportReport(
    phases: .init(queue: .milliseconds(5)), remoteAddress: "[2001:db8::1]:8443", version: .http2,
    connectionWasReused: true)

  private func requestTimer(_ status: String, _ error: String) throws -> TestTimer {
    try metrics.expectTimer(
      "http.client.request.duration",
      [
        ("peer.service", "estate"), ("switchyard.api", "houses.list"), ("http.request.method", "GET"),
        ("http.response.status_class", status), ("error.type", error),
      ])
  }

  @Test("H7: A request has a client span and metrics by OpenTelemetry's conventions, and sends traceparent")
  func wholeRow() async throws {
    let dispatcher = ScriptedDispatcher { [clock, report] _, _ throws(NetworkError) in
      clock.advance(by: .milliseconds(20))
      return Response(HTTPResponse(status: .ok), exchange: Exchange(transport: report))
    }
    var request = request("/houses?page=2&token=s3cret#s3cret")
    request.head.authority = "user:s3cret@api.test:8443"
    _ = try await Pipeline(over: dispatcher) { telemetry }.send(request)

    let span = try #require(tracer.ended(.client).first)
    #expect(span.operationName == "GET estate/houses.list")
    #expect(span.status == nil)
    let expected: SpanAttributes = [
      "http.request.method": .string("GET"), "server.address": .string("api.test"),
      "server.port": .int64(8443),
      "url.full": .string("https://api.test:8443/houses?page=2&token=REDACTED"),
      "http.response.status_code": .int64(200), "network.protocol.version": .string("2"),
      "network.peer.address": .string("2001:db8::1"), "network.peer.port": .int64(8443),
    ]
    #expect(span.attributes == expected)
    let sent = try #require(dispatcher.requests.first).head.headerFields
    let name = try #require(HTTPField.Name("traceparent"))
    #expect(sent[name] == "00-\(span.traceID)-\(span.spanID)-01")
    #expect(sent.count == 1)

    #expect(try requestTimer("2xx", "none").values == [20_000_000])
    let call = try metrics.expectTimer(
      "switchyard.call.duration",
      [
        ("peer.service", "estate"), ("switchyard.api", "houses.list"), ("switchyard.source", "network"),
        ("http.response.status_class", "2xx"), ("error.type", "none"),
      ])
    #expect(call.values == [20_000_000])
    #expect(
      try metrics.expectTimer("http.client.request.time_in_queue", [("peer.service", "estate")]).values
        == [5_000_000])
    let reused = [("peer.service", "estate"), ("switchyard.connection.state", "reused")]
    #expect(try metrics.expectCounter("switchyard.connections", reused).totalValue == 1)
    #expect(tracer.spans.activeSpans.isEmpty)
  }

  @Test("Baggage is sent to the listed origins only, and to none after a redirect to another origin")
  func baggage() async throws {
    let baggage = try #require(HTTPField.Name("baggage"))
    let trace = try #require(HTTPField.Name("traceparent"))
    let locations = ["https://other.test/a", "https://api.test/b", nil]
    func sent(_ telemetry: TelemetryInterceptor) async throws -> [HTTPFields] {
      let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
        guard let location = locations[min(number, locations.count) - 1] else { return Response(status: .ok) }
        var response = Response(status: .found)
        response.head.headerFields[.location] = location
        return response
      }
      _ = try await Pipeline(over: dispatcher) {
        RedirectInterceptor()
        telemetry
      }.send(request())
      return dispatcher.requests.map { $0.head.headerFields }
    }
    let listed = Request.Scope.authority("api.test").union(.authority("other.test"))
    let hops = try await sent(
      TelemetryInterceptor(metrics: metrics, tracer: tracer, sendingBaggageTo: listed))
    #expect(hops.map { $0[baggage] } == ["account=s3cret", nil, nil])
    let others = try await sent(
      TelemetryInterceptor(metrics: metrics, tracer: tracer, sendingBaggageTo: .authority("other.test")))
    #expect(others.allSatisfy { $0[baggage] == nil })
    let unlisted = try await sent(telemetry)
    #expect(unlisted.allSatisfy { $0[baggage] == nil })
    for fields in hops + others + unlisted { #expect(fields[trace] != nil) }
  }

  @Test("H7: Without a configured backend requests pass unchanged, and no clock is read")
  func nobodyPays() async throws {
    // No test of this process bootstraps a system.
    let clock = ReadingClock()
    let unconfigured = TelemetryInterceptor(time: TimeSource(clock))
    let discarding = TelemetryInterceptor(
      metrics: NOOPMetricsHandler.instance, tracer: NoOpTracer(), time: TimeSource(clock))
    let readings = clock.readings
    for telemetry in [unconfigured, discarding] {
      #expect(!telemetry.isObserving)
      let stream = BodyStream(length: nil, ScriptedByteSource([[1]]))
      let dispatcher = ScriptedDispatcher(
        answering: Response(HTTPResponse(status: .ok), body: .stream(stream)))
      let response = try await Pipeline(over: dispatcher) { telemetry }.send(request())
      guard case .stream(let handed) = response.body else {
        Issue.record("The stream was turned into bytes.")
        return
      }
      #expect(handed === stream)
      #expect(dispatcher.requests.first?.head == request().head)
    }
    #expect(clock.readings == readings)
  }

  @Test(
    "A refusal by the server is an error of the client span",
    arguments: [(404, "4xx", "404"), (503, "5xx", "503"), (304, "3xx", nil)])
  func statuses(code: Int, statusClass: String, error: String?) async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .init(code: code)))
    _ = try await Pipeline(over: dispatcher) { telemetry }.send(request())
    let span = try #require(tracer.ended(.client).first)
    #expect(span.attributes["error.type"]?.toSpanAttribute() == error.map { .string($0) })
    #expect(span.status == error.map { SpanStatus(code: .error, message: $0) })
    #expect(try requestTimer(statusClass, error ?? "none").values.count == 1)
  }

  @Test("A failure is reported by its label, never by its text")
  func failure() async throws {
    let dispatcher = ScriptedDispatcher(
      failing: NetworkError(.timeout(.whole), "s3cret", underlying: CancellationError()))
    await #expect(throws: NetworkError.self) {
      try await Pipeline(over: dispatcher) { telemetry }.send(request())
    }
    for span in tracer.spans.finishedSpans {
      #expect(span.attributes["error.type"]?.toSpanAttribute() == .string("timeout_whole"))
      #expect(span.status == SpanStatus(code: .error, message: "timeout_whole"))
      #expect(span.errors.isEmpty)
      #expect(!"\(span.attributes) \(span.events)".contains("s3cret"))
    }
    #expect(tracer.spans.finishedSpans.count == 2)
    #expect(try requestTimer("none", "timeout_whole").values.count == 1)
  }

  @Test("A cancellation by the caller leaves the status of its spans unset")
  func cancellation() async throws {
    let dispatcher = ScriptedDispatcher(failing: NetworkError(.cancelled(.task), "Cancelled."))
    await #expect(throws: NetworkError.self) {
      try await Pipeline(over: dispatcher) { telemetry }.send(request())
    }
    #expect(tracer.spans.finishedSpans.map(\.status) == [nil, nil])
  }

  @Test("A streamed response ends its span when it has been read, with the transport's final report")
  func stream() async throws {
    let ending = BodyStream.Ending()
    let stream = BodyStream(length: nil, ending: ending, ScriptedByteSource([[1], [2]]))
    let dispatcher = ScriptedDispatcher(
      answering: Response(HTTPResponse(status: .ok), body: .stream(stream)))
    let response = try await Pipeline(over: dispatcher) { telemetry }.send(request())
    #expect(tracer.ended(.client).isEmpty)
    clock.advance(by: .seconds(3))
    ending.finish(transport: report)
    #expect(try await response.body.collect(upTo: 10) == [1, 2])
    #expect(tracer.ended(.client).count == 1)
    #expect(
      tracer.ended(.client).first?.attributes["network.protocol.version"]?.toSpanAttribute() == .string("2"))
    #expect(try requestTimer("2xx", "none").values == [3_000_000_000])
  }

  @Test("A stream that is dropped or fails ends its span once", arguments: [true, false])
  func endedEarly(isDropped: Bool) async throws {
    let failure = NetworkError(.transport, "The connection broke.")
    let source = ScriptedByteSource([[1]], endingWith: isDropped ? nil : failure)
    let stream = BodyStream(length: nil, source)
    let dispatcher = ScriptedDispatcher(
      answering: Response(HTTPResponse(status: .ok), body: .stream(stream)))
    do {
      let response = try await Pipeline(over: dispatcher) { telemetry }.send(request())
      if !isDropped {
        await #expect(throws: NetworkError.self) { try await response.body.collect(upTo: 10) }
      }
    }
    #expect(tracer.ended(.client).count == 1)
    let error: SpanAttribute? = isDropped ? nil : .string("transport")
    #expect(tracer.ended(.client).first?.attributes["error.type"]?.toSpanAttribute() == error)
    #expect(try metrics.expectMeter("http.client.active_requests").lastValue == 0)
  }

  @Test("The span of the caller's task is the parent, also without a pipeline")
  func parent() async throws {
    let outer = tracer.spans.startSpan("outer", context: .topLevel, ofKind: .internal)
    try await ServiceContext.withValue(outer.context) {
      _ = try await Pipeline(over: ScriptedDispatcher()) { telemetry }.send(request())
      _ = try await telemetry.intercept(request(), next: ScriptedDispatcher())
    }
    let clients = tracer.ended(.client)
    #expect(clients.map(\.traceID) == [outer.traceID, outer.traceID])
    let call = try #require(tracer.ended(.internal).first)
    #expect(call.parentSpanID == outer.spanID)
    #expect(clients.map(\.parentSpanID) == [call.spanID, outer.spanID])
  }

  @Test("The interceptor satisfies the laws")
  func laws() async throws {
    let report = await checkInterceptorLaws(
      TelemetryInterceptor(metrics: TestMetrics(), tracer: W3CTracer(), time: TimeSource(TestClock())))
    try report.check()
  }
}
