import HTTPTypes
import Interception
import RedirectFollowing
import Testing
import ToolCommands

@Suite struct FailureReportTests {
  private static let day: Int64 = 86_400
  private static let certificate = CertificateFacts(
    subject: "CN=localhost", issuer: "CN=Example CA", notBefore: 0, notAfter: 10 * day,
    names: ["a.test", "b.test"])

  /// A real error of the chain, which names its request.
  private static func error(_ kind: NetworkError.Kind, _ reason: String) async -> NetworkError? {
    struct Failing: Dispatcher {
      let error: NetworkError
      func dispatch(_ request: Request) async throws(NetworkError) -> Response { throw error }
    }
    let pipeline = try? Pipeline(over: Failing(error: NetworkError(kind, reason))) {}
    return await #expect(throws: NetworkError.self) {
      _ = try await pipeline?.send(Request("https://a.test:8443/b?token=secret"))
    }
  }

  @Test("An error has a line for what happened, for the request without its query, and for the remedy")
  func lines() async throws {
    let error = try #require(await Self.error(.connect, "a.test refused the connection; check the port."))
    #expect(
      ToolFailure(error).description
        == "connect: a.test refused the connection.\n  request: GET https://a.test:8443/b\n  try: check the port"
    )
    #expect(ToolFailure(error).status == .unconnected)
  }

  @Test(
    "The fault of a certificate is reported with its dates, its names and its issuer",
    arguments: [(NetworkError.TLSFault, Int64, String)]([
      (.expired, 12 * day, "The certificate of a.test:8443 expired on 1970-01-11, 2 days ago."),
      (.expired, 10 * day + 5, "The certificate of a.test:8443 expired on 1970-01-11, less than a day ago."),
      (.expired, -day, "The certificate of a.test:8443 is valid from 1970-01-01 only, in 1 day."),
      (.nameMismatch, day, "The certificate of a.test:8443 is for another name: a.test, b.test."),
      (
        .untrusted, day,
        "The certificate of a.test:8443 is issued by CN=Example CA, which is no trusted authority."
      ),
      // The facts do not show it, so the error's own sentence remains.
      (.expired, day, "It failed."), (.handshake, day, "It failed."),
    ]))
  func certificates(fault: NetworkError.TLSFault, now: Int64, sentence: String) async throws {
    var report = FailureReport(try #require(await Self.error(.tls(fault), "It failed.")))
    (report.certificate, report.now) = (Self.certificate, now)
    let lines = report.failure.description.split(separator: "\n").map(String.init)
    #expect(lines[0].hasSuffix(": \(sentence)"))
    #expect(lines[2] == "  certificate: CN=localhost, issued by CN=Example CA")
  }

  @Test("A self-signed certificate is called that, and many names are counted")
  func selfSigned() async throws {
    var certificate = Self.certificate
    certificate.issuer = certificate.subject
    var report = FailureReport(try #require(await Self.error(.tls(.untrusted), "It failed.")))
    report.certificate = certificate
    #expect(report.failure.description.contains("is self-signed, so that no authority vouches for it."))
    #expect(report.failure.description.contains("CN=localhost, self-signed"))
    #expect(report.failure.description.contains("--cacert FILE"))
    certificate.names = (1...10).map { "n\($0)" }
    #expect(certificate.shownNames == "n1, n2, n3, n4, n5, n6, n7, n8 and 2 more")
  }

  @Test("A time limit names the option that raises it")
  func timeouts() {
    for (phase, option) in [(NetworkError.Phase.call, "--timeout"), (.connect, "--connect-timeout")] {
      let failure = ToolFailure(NetworkError(.timeout(phase), "Too slow; raise timeouts.\(phase)."))
      #expect(failure.description.contains(option))
      #expect(!failure.description.contains("timeouts."))
    }
  }

  @Test(
    "Remedies name the options of the program instead of the types of the library",
    arguments: [(NetworkError.Kind, String, String)]([
      (
        .transport, "It broke. Take its host out of ConnectionPolicy(priorKnowledge:).",
        "out of --http2-host."
      ),
      (
        .unsupported, "HTTP3Use.first fails; choose HTTP3Use.whenAdvertised, which does without.",
        "leave out --http3"
      ),
      (
        .connect, "No way; except the host in ProxyPolicy.",
        "try: except the host in --proxy or the environment"
      ),
      (.timeout(.idle), "It stalled; check the network, or raise timeouts.idle.", "with --retry N"),
      (
        .tls(.handshake), "It failed; check the versions that TLSPolicy allows.",
        "versions of TLS that the server"
      ),
      (
        .tls(.handshake), "A requires a valid client certificate; check TLSPolicy(clientCertificate:).",
        "no client"
      ),
      (.protocolViolation, "A ratio above 100:1; raise ResponseLimits(ratio:).", "Accept-Encoding: identity"),
    ]))
  func optionNames(kind: NetworkError.Kind, reason: String, words: String) {
    let text = ToolFailure(NetworkError(kind, reason)).description
    #expect(text.contains(words), "\(text)")
    #expect(!text.contains(/Policy|Limits|timeouts[.]/), "\(text)")
  }

  @Test("A lost connection says how much was received, and of how much")
  func lost() {
    var report = FailureReport(NetworkError(.transport, "The connection broke."))
    (report.receivedBytes, report.announcedBytes) = (4, 100)
    #expect(report.failure.description.contains("\n  received: 4 B of 100 B\n"))
    report.announcedBytes = nil
    #expect(report.failure.description.contains("\n  received: 4 B\n"))
  }

  private static func failure(of pipeline: Pipeline) async throws -> NetworkError {
    do throws(NetworkError) {
      _ = try await pipeline.send(Request("https://a.test/0"))
    } catch {
      return error
    }
    throw ToolFailure(.other, "The request succeeded.")
  }

  @Test("Redirects that lead in a circle are shown by the URLs that repeat; others are not")
  func circle() async throws {
    struct Redirecting: Dispatcher {
      let location: @Sendable (Request) -> String
      func dispatch(_ request: Request) async throws(NetworkError) -> Response {
        Response(status: 302, headerFields: [.location: location(request)])
      }
    }
    func report(_ location: @escaping @Sendable (Request) -> String) async throws -> String {
      let tracer = ExchangeTracer()
      let pipeline = try Pipeline(over: Redirecting(location: location)) {
        RedirectInterceptor(limit: 7)
        tracer
      }
      let error = try await Self.failure(of: pipeline)
      var report = FailureReport(error)
      report.exchanges = tracer.exchanges
      #expect(report.failure.status == .redirects)
      return report.failure.description
    }
    let circle = try await report { $0.head.path == "/1?t=secret" ? "/2" : "/1?t=secret" }
    #expect(circle.hasPrefix("rejected: The redirects lead in a circle of 2 URLs, and 7 were followed.\n"))
    #expect(
      circle.contains(
        "\n  circle: GET https://a.test/2\n  circle: → GET https://a.test/1?t=██\n  try: correct the server"))
    let itself = try await report { (_: Request) in "/0" }
    #expect(itself.contains("circle of 1 URL,"))
    let endless = try await report {
      "/\(($0.head.path ?? "").count)\($0.head.path ?? "")".replacing("//", with: "/")
    }
    #expect(!endless.contains("circle"))
    #expect(endless.contains("--max-redirects N"))
  }

  /// A response with one field, and the lines that follow its status.
  struct Refusal: Sendable {
    let status: Int
    var field: HTTPField?
    var hadCredentials = false
    let lines: [String]
  }

  private static let date = "Sun, 29 Nov 2026 10:00:00 GMT"
  private static let refusals = [
    Refusal(
      status: 401, field: HTTPField(name: .wwwAuthenticate, value: "Basic realm=\"homes\""),
      lines: [
        "challenge: Basic realm=\"homes\"",
        "try: send credentials with -H @FILE, a file with the line Authorization: Basic BASE64-OF-USER:PASSWORD",
      ]),
    Refusal(
      status: 401, field: HTTPField(name: .wwwAuthenticate, value: "Bearer"), hadCredentials: true,
      lines: [
        "challenge: Bearer", "try: correct the credentials in Authorization, which the server did not accept",
      ]),
    Refusal(
      status: 405, field: HTTPField(name: .allow, value: "GET, PUT"),
      lines: ["allowed: GET, PUT", "try: send another method with switchyard send METHOD URL"]),
    Refusal(
      status: 429, field: HTTPField(name: .retryAfter, value: "30"),
      lines: ["retry after: 30 s", "try: wait that long, or let --retry N do it"]),
    Refusal(
      status: 503, field: HTTPField(name: .retryAfter, value: "90"),
      lines: [
        "retry after: 90 s", "try: wait that long, or let --retry N do it, which waits for at most 60 s",
      ]),
    Refusal(
      status: 503, field: HTTPField(name: .retryAfter, value: date),
      lines: ["retry after: \(date)", "try: wait that long, or let --retry N do it"]),
    Refusal(status: 429, lines: ["try: wait, or let --retry N do it"]), Refusal(status: 404, lines: []),
  ]

  @Test("A refused request says what the server asks for, and what to do", arguments: refusals)
  func statuses(refusal: Refusal) {
    let fields = HTTPFields(refusal.field.map { [$0] } ?? [])
    let shown = StatusAdvice.lines(
      .init(code: refusal.status), fields: fields, hadCredentials: refusal.hadCredentials)
    #expect(Array(shown.dropFirst()) == refusal.lines)
    #expect(shown[0].hasPrefix("the server responded with \(refusal.status)"))
  }
}
