import HTTPTypes
import InMemoryLogging
import Interception
import Logging
import RequestLogging
import SwitchyardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct LoggingInterceptorTests {
  private let capture = LogCapture()

  private func request(_ path: String = "/houses?page=2", body: RequestBody = .empty) -> Request {
    Request(
      method: .post, authority: "a.test", path: path, headerFields: [.contentType: "application/json"],
      body: body)
  }

  private func pipeline(
    _ dispatcher: some Dispatcher, _ logging: LoggingInterceptor, outer: [any Interceptor] = []
  ) throws -> Pipeline {
    try Pipeline(over: dispatcher) {
      outer
      logging
    }
  }

  @Test("E11: A request is logged in two lines with exactly these metadata keys")
  func twoLines() async throws {
    let clock = TestClock()
    let report = TransportReport(
      phases: .init(queue: .milliseconds(1), connect: .microseconds(1500), firstByte: .milliseconds(7)),
      bytes: .init(sent: 4, received: 10, decoded: 12), remoteAddress: "127.0.0.1:80", version: .http2,
      connectionWasReused: true, contentCoding: .gzip)
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      clock.advance(by: .microseconds(12_345))
      return Response(
        HTTPResponse(status: .created, headerFields: [.server: "nginx"]), body: .bytes(Array("hello".utf8)),
        exchange: Exchange(transport: report))
    }
    var request = request(body: .text("body"))
    request.context.api = APIIdentity(service: "estate", name: "houses.list")
    request.context.connectTarget = ConnectTarget(address: "::1", port: 8443)
    let logging = LoggingInterceptor(logger: capture.logger(), time: TimeSource(clock))
    _ = try await pipeline(dispatcher, logging).send(request)

    #expect(capture.messages == ["request started", "request finished"])
    #expect(capture.entries.map(\.level) == [.trace, .debug])
    let identity = [
      "connect.target", "request.api", "request.attempt", "request.authority", "request.bytes", "request.id",
      "request.method", "request.path", "request.query", "request.scheme",
    ]
    #expect(capture.entries[0].keys == identity)
    let answer = [
      "duration.ms", "request.headers", "response.bytes", "response.headers", "response.status",
      "timing.connect.ms", "timing.first_byte.ms", "timing.queue.ms", "transport.address", "transport.coding",
      "transport.decoded.bytes", "transport.received.bytes", "transport.reused", "transport.sent.bytes",
      "transport.version",
    ]
    let line = capture.entries[1]
    #expect(line.keys == (identity + answer).sorted())
    let values = [
      "request.id": "\(request.id)", "request.attempt": "1", "request.method": "POST",
      "request.scheme": "https",
      "request.authority": "a.test", "request.path": "/houses", "request.query": "page=██",
      "request.api": "estate/houses.list", "request.bytes": "4", "connect.target": "[::1]:8443",
      "response.status": "201", "response.bytes": "5", "duration.ms": "12.345", "timing.queue.ms": "1.000",
      "timing.connect.ms": "1.500", "transport.reused": "true", "transport.version": "HTTP/2",
      "transport.received.bytes": "10", "transport.coding": "gzip",
    ]
    for (key, value) in values { #expect(line[key] == value, "\(key)") }
    #expect(line.metadata["response.headers"] == .array(["Server: nginx"]))
    #expect(line.metadata["request.headers"] == .array(["Content-Type: application/json"]))
  }

  @Test(
    "Why HTTP/3 was not used is logged, unless that holds for the whole process",
    arguments: [
      (TransportReport.HTTP3Outcome.notAdvertised, "not advertised"), (.proxied, "not through a proxy"),
      (.unsuitable, "not for this request"), (.lostRace, "lost the race against TCP"),
      (.broken(retryAfter: .milliseconds(299_500)), "failed before, tried again in 299 s"),
      (.throttled(retryAfter: .seconds(600)), "far slower than TCP before, tried again in 600 s"),
      (.used, nil),
      (.off, nil), (.unsupported, nil), (nil, nil),
    ] as [(TransportReport.HTTP3Outcome?, String?)])
  func http3(outcome: TransportReport.HTTP3Outcome?, text: String?) async throws {
    let dispatcher = ScriptedDispatcher(
      answering: Response(.init(status: .ok), exchange: Exchange(transport: TransportReport(http3: outcome))))
    _ = try await pipeline(dispatcher, LoggingInterceptor(logger: capture.logger())).send(request())
    #expect(capture.entries[1]["transport.http3"] == text)
  }

  @Test("Only the requested details are logged")
  func details() async throws {
    let logging = LoggingInterceptor(logger: capture.logger(), details: [.curlCommand])
    let request = request()
    _ = try await pipeline(ScriptedDispatcher(), logging).send(request)
    #expect(capture.entries[1]["request.headers"] == nil)
    #expect(capture.entries[1]["transport.reused"] == nil)
    #expect(capture.entries[1]["request.curl"] == CurlCommand(request).line)
  }

  @Test("E11: A failure is logged at the configured level, with its origin and label")
  func failure() async throws {
    let dispatcher = ScriptedDispatcher(
      failing: NetworkError(.timeout(.whole), "It took too long.", requestMayHaveBeenProcessed: true))
    let logging = LoggingInterceptor(logger: capture.logger(), levels: LogLevels(failure: .error))
    await #expect(throws: NetworkError.self) { try await pipeline(dispatcher, logging).send(request()) }
    #expect(capture.messages == ["request started", "request failed"])
    let line = capture.entries[1]
    #expect(line.level == .error)
    #expect(line["error.label"] == "timeout_whole")
    #expect(line["error.origin"] == "dispatcher ScriptedDispatcher")
    #expect(line["error.reason"] == "It took too long.")
    #expect(line["error.processed"] == "true")
    #expect(line["duration.ms"] != nil)
  }

  @Test("A request cancelled by the caller isn't logged as a failure")
  func cancellation() async throws {
    let dispatcher = ScriptedDispatcher(
      failing: NetworkError(.cancelled(.task), "The request was cancelled."))
    let logging = LoggingInterceptor(logger: capture.logger(), levels: LogLevels(failure: .critical))
    await #expect(throws: NetworkError.self) { try await pipeline(dispatcher, logging).send(request()) }
    #expect(capture.messages == ["request started", "request cancelled"])
    #expect(capture.entries[1].level == .debug)
  }

  @Test("By default nothing is logged above debug")
  func defaultLevels() async throws {
    let logging = LoggingInterceptor(logger: capture.logger())
    _ = try await pipeline(ScriptedDispatcher(), logging).send(request())
    let failing = ScriptedDispatcher(failing: NetworkError(.connect, "Connection refused."))
    await #expect(throws: NetworkError.self) { try await pipeline(failing, logging).send(request()) }
    #expect(capture.entries.count == 4)
    #expect(capture.entries.allSatisfy { $0.level <= .debug })
  }

  @Test("E11: With logging off, no body is sampled and no stream is wrapped")
  func offCostsNothing() async throws {
    let reads = Atomic(0)
    let clock = TestClock()
    let time = TimeSource(clock, wall: { .now() })
    let stream = BodyStream(length: nil, ScriptedByteSource([[1]]))
    let dispatcher = ScriptedDispatcher(answering: Response(HTTPResponse(status: .ok), body: .stream(stream)))
    let sampling = BodySampling(redacting: { text in
      reads.add(1, ordering: .relaxed)
      return text
    })
    let logging = LoggingInterceptor(logger: capture.logger(.info), bodies: sampling, time: time)
    let response = try await pipeline(dispatcher, logging).send(request(body: .text("{}")))
    guard case .stream(let handed) = response.body else {
      Issue.record("The stream was turned into bytes.")
      return
    }
    #expect(handed === stream)
    #expect(capture.entries.isEmpty)
    #expect(reads.load(ordering: .relaxed) == 0)
  }

  @Test("Every attempt is logged in two lines with its number")
  func attempts() async throws {
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: number == 1 ? .serviceUnavailable : .ok)
    }
    let retry = InlineInterceptor("Retry", stage: .retry) { request, next in
      _ = try await next.dispatch(request)
      return try await next.dispatch(request.asAttempt(2))
    }
    let logging = LoggingInterceptor(logger: capture.logger(.debug))
    _ = try await pipeline(dispatcher, logging, outer: [retry]).send(request())
    #expect(capture.entries.map { $0["request.attempt"] } == ["1", "2"])
    #expect(capture.entries.map { $0["response.status"] } == ["503", "200"])
  }

  @Test("Concurrent requests are each logged in two lines")
  func concurrency() async throws {
    let pipeline = try pipeline(ScriptedDispatcher(), LoggingInterceptor(logger: capture.logger()))
    let requests = (0..<200).map { request("/\($0)") }
    await withTaskGroup(of: Void.self) { group in
      for request in requests { group.addTask { _ = try? await pipeline.send(request) } }
    }
    for request in requests {
      let own = capture.entries.filter { $0["request.id"] == "\(request.id)" }
      #expect(own.map { "\($0.message)" } == ["request started", "request finished"])
      #expect(own.allSatisfy { $0["request.path"] == request.head.path })
    }
  }
}
