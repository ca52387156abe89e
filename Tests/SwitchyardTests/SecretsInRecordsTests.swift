import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import RequestTelemetry
import Switchyard
import SwitchyardTesting
import Testing

/// A run with a secret wherever a request, a response or an error can have one.
@Suite("What is recorded about a run", .timeLimit(.minutes(5)))
struct SecretsInRecordsTests {
  /// An error of the app, whose text quotes what it was given.
  private struct ForeignError: Error, CustomStringConvertible {
    let description: String
  }

  private struct Tokens: TokenSource {
    func token(replacing previous: AccessToken?) async throws -> AccessToken {
      throw ForeignError(description: "s3cret-refresh is not valid")
    }
  }

  private struct Profile: Decodable {
    let age: Int
  }

  private static func request(_ path: String) -> Request {
    let isInvalid = path == "/invalid"
    var request = Request(
      method: .post, authority: isInvalid ? "ann:s3cret-user@api.example" : "api.example",
      path: "\(path)?token=s3cret-query\(isInvalid ? "#s3cret-fragment" : "")",
      headerFields: [.cookie: "own=s3cret-own", .contentType: "application/json"],
      body: .text(#"{"password":"s3cret-password","nested":[{"pin":"s3cret-pin"}]}"#))
    if path == "/form" {
      request.head.headerFields[.contentType] = "application/x-www-form-urlencoded"
      request.body = .text("user=ann&password=s3cret-form")
    }
    request.context.isIdempotent = true
    request.context.partition = "ann"
    return request
  }

  private static let server = ScriptedDispatcher { request, _ throws(NetworkError) in
    var fields: HTTPFields = [
      .contentType: "application/json", .setCookie: "session=s3cret-session; Path=/",
      .location: "https://api.example/moved?code=s3cret-code",
    ]
    let body = #"{"access_token":"s3cret-token","age":"s3cret-age"}"#
    switch request.head.path?.prefix(while: { $0 != "?" }) {
    case "/redirect": return Response(status: .seeOther, headerFields: fields, bytes: Array(body.utf8))
    case "/refused":
      fields[.wwwAuthenticate] = #"Bearer realm="x", error="invalid_token", hint="s3cret-hint""#
      return Response(status: .unauthorized, headerFields: fields, bytes: Array(body.utf8))
    case "/away": return Response(status: .serviceUnavailable, headerFields: fields, bytes: Array(body.utf8))
    default: return Response(status: .ok, headerFields: fields, bytes: Array(body.utf8))
    }
  }

  @Test("I10: No secret of a run occurs in a log, trace, HAR, label or error text, in bodies too")
  func secrets() async throws {
    let (log, traces) = (InMemoryLogHandler(), TraceRecorder())
    var logger = Logger(label: "test") { _ in log }
    logger.logLevel = .trace
    let bodies = BodySampling(requestBytes: 4_096, responseBytes: 4_096)
    let archive = HARRecorder(bodies: bodies)
    let failing = InlineInterceptor("App", stage: .validation) { request, next in
      guard request.head.path?.hasPrefix("/own") != true else {
        throw ForeignError(description: "refused: s3cret-app")
      }
      return try await next.dispatch(request)
    }
    let leaving = InlineInterceptor("Leaving", stage: .signing) { request, next in
      let departure = Request.Departure { request in
        guard request.head.path?.hasPrefix("/broken") == true else { return }
        throw ForeignError(description: "read s3cret-reason")
      }
      return try await next.dispatch(request, onDeparture: departure)
    }
    let (metrics, tracer) = (TestMetrics(), InMemoryTracer())
    let telemetry = TelemetryInterceptor(metrics: metrics, tracer: tracer)
    let clock = TestClock()
    let chain = try Pipeline.standard(
      over: Self.server, retry: RetryInterceptor(RetryPolicy(attemptLimit: 1)),
      cookies: CookieInterceptor(),
      authorization: AuthorizationInterceptor(
        BearerAuthorization(from: Tokens(), starting: try AccessToken("s3cret-bearer"), account: "ann"),
        for: ["api.example"]),
      signing: SigningInterceptor(
        key: try SigningKey(id: "k", secret: Array("s3cret-key-of-at-least-32-characters".utf8))),
      logging: LoggingInterceptor(
        logger: logger, details: [.headers, .transport, .curlCommand], bodies: bodies),
      adding: [failing, leaving, archive, telemetry], observers: [traces], time: TimeSource(clock))
    var texts: [String] = []
    for path in ["/ok", "/form", "/redirect", "/broken", "/away", "/own", "/invalid", "/refused"] {
      let request = Self.request(path)
      do {
        let response = try await chain.send(request)
        _ = try await response.decoded(as: Profile.self)
      } catch {
        texts.append("\(error) \(String(describing: (error as? NetworkError)?.reason))")
      }
      texts.append(String(describing: traces.trace(of: request.id)))
    }
    #expect(texts.count >= 10 && Self.server.requests.count >= 6)

    let lines = log.entries.map { "\($0.message) \($0.metadata) \(String(describing: $0.error))" }
    #expect(lines.count >= 10 && lines.contains { $0.contains("██") })
    let har = String(decoding: archive.archive(), as: UTF8.self)
    #expect(har.contains("/form") && har.contains("REDACTED") && har.contains("password"))
    texts += lines + [har]
    let labels =
      metrics.timers.map(\.dimensions) + metrics.counters.map(\.dimensions)
      + metrics.recorders.map(\.dimensions)
    #expect(!labels.isEmpty && !tracer.finishedSpans.isEmpty)
    texts += labels.map { "\($0)" }
    texts += tracer.finishedSpans.map { "\($0.operationName) \($0.attributes) \($0.events) \($0.errors)" }
    for text in texts where text.contains("s3cret") { Issue.record("a secret is in: \(text)") }
  }
}
