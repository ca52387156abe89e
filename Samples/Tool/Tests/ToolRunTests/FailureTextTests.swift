import Foundation
import Testing

/// What the program reports in the situations that users meet most, word by word.
@Suite(.timeLimit(.minutes(5)))
struct FailureTextTests {
  /// A situation, and what standard error has after "switchyard: ".
  private struct Situation {
    let arguments: [String]
    let status: Int32
    let lines: [String]
  }

  /// Runs the program for each situation, and compares status and text.
  private static func check(_ situations: [Situation]) async throws {
    for situation in situations {
      let outcome = try await RunningProgram([RunningProgram.tool, "get"] + situation.arguments).outcome()
      #expect(outcome.status == situation.status, "\(outcome)")
      // The certificate expired a day before it was issued.
      let text = outcome.errors.replacing(/on \d{4}-\d\d-\d\d, 1 day ago/, with: "on DATE, 1 day ago")
      #expect(text == "switchyard: " + situation.lines.joined(separator: "\n  ") + "\n")
    }
  }

  @Test("A refused certificate is described: since when it is expired, for which names it is, who issued it")
  func certificates() async throws {
    let server = try await FaultyServer()
    let trust = ["--cacert", server.authority]
    try await Self.check([
      Situation(
        arguments: ["https://\(server.expired)/?token=secret"] + trust, status: 60,
        lines: [
          "tls_expired: The certificate of \(server.expired) expired on DATE, 1 day ago.",
          "request: GET https://\(server.expired)/", "certificate: CN=localhost, issued by CN=Test authority",
          "try: renew the certificate on the server, or set this machine's clock right",
        ]),
      Situation(
        arguments: ["https://\(server.otherName)/"] + trust, status: 60,
        lines: [
          "tls_nameMismatch: The certificate of \(server.otherName) is for another name: other.test.",
          "request: GET https://\(server.otherName)/",
          "certificate: CN=other.test, issued by CN=Test authority",
          "try: use a name that the certificate has, or reach the server by it with --resolve NAME:ADDRESS",
        ]),
      Situation(
        arguments: ["https://\(server.selfSigned)/"], status: 60,
        lines: [
          "tls_untrusted: The certificate of \(server.selfSigned) is self-signed, so that no authority vouches for it.",
          "request: GET https://\(server.selfSigned)/", "certificate: CN=self.test, self-signed",
          "try: if the server is yours, trust it with --cacert FILE; otherwise send it nothing",
        ]),
      Situation(
        arguments: ["https://\(server.otherName)/"], status: 60,
        lines: [
          "tls_untrusted: The certificate of \(server.otherName) is issued by CN=Test authority, "
            + "which is no trusted authority.",
          "request: GET https://\(server.otherName)/",
          "certificate: CN=other.test, issued by CN=Test authority",
          "try: if the server is yours, trust its authority with --cacert FILE, or let it send its intermediate "
            + "certificates; otherwise send it nothing",
        ]),
    ])
  }

  @Test("If the certificate can't be read in time, the error's own sentence is reported")
  func stalledReading() async throws {
    let server = try await FaultyServer()
    try await Self.check([
      Situation(
        arguments: ["https://\(server.stalling)/", "--cacert", server.authority], status: 60,
        lines: [
          "tls_expired: The certificate of \(server.stalling) is not valid at this time.",
          "request: GET https://\(server.stalling)/",
          "try: renew the certificate on the server, or set this machine's clock right",
        ])
    ])
  }

  @Test("The remedy for a certificate for another name works: its name, at the same address")
  func remedy() async throws {
    let server = try await FaultyServer()
    let named = server.otherName.replacing("localhost", with: "other.test")
    let outcome = try await RunningProgram.tool(
      "get", "https://\(named)/busy", "--cacert", server.authority, "--resolve", "other.test:127.0.0.1", "-i")
    #expect(outcome.output.hasPrefix("HTTP/1.1 429 "), "\(outcome)")
  }

  @Test("Without a connection, in time or at all, host and remedy are named")
  func connections() async throws {
    let server = try await FaultyServer()
    let closed = "127.0.0.1:\(try Loopback.freePorts(1)[0])"
    try await Self.check([
      Situation(
        arguments: ["http://\(closed)/?token=secret"], status: 7,
        lines: [
          "connect: \(closed) refused the connection.", "request: GET http://\(closed)/",
          "try: check that the server runs and listens on port \(closed.split(separator: ":")[1])",
        ]),
      Situation(
        arguments: ["http://no-such-host.invalid/"], status: 6,
        lines: [
          "resolve: The name no-such-host.invalid has no address.",
          "request: GET http://no-such-host.invalid/",
          "try: check its spelling and the name server",
        ]),
      Situation(
        arguments: ["http://\(server.plain)/slow", "--timeout", "0.5"], status: 28,
        lines: [
          "timeout_call: The call to \(server.plain) did not end within its time limit, with all its attempts.",
          "request: GET http://\(server.plain)/slow",
          "try: check the server, or allow more time with --timeout SECONDS",
        ]),
    ])
  }

  @Test("A response that is refused, incomplete or broken is named, with what arrived and what to do")
  func responses() async throws {
    let server = try await FaultyServer()
    let plain = server.plain
    let lost = "try: send it again; with a file, switchyard download continues where this ended"
    try await Self.check([
      Situation(
        arguments: ["http://\(plain)/loop"], status: 47,
        lines: [
          "rejected: The redirects lead in a circle of 2 URLs, and 20 were followed.",
          "request: GET http://\(plain)/loop", "circle: GET http://\(plain)/back?token=██",
          "circle: → GET http://\(plain)/loop",
          "try: correct the server; --no-redirects shows its first response",
        ]),
      Situation(
        arguments: ["http://\(plain)/short"], status: 18,
        lines: [
          "transport: \(plain) closed the connection before the announced end of the body.",
          "request: GET http://\(plain)/short", "received: 4 B of 100 B", lost,
        ]),
      Situation(
        arguments: ["http://\(plain)/login", "-f"], status: 22,
        lines: [
          "the server responded with 401 Unauthorized, which --fail makes an error",
          "challenge: Basic realm=\"homes\"",
          "try: send credentials with -H @FILE, a file with the line Authorization: Basic BASE64-OF-USER:PASSWORD",
        ]),
      Situation(
        arguments: ["http://\(plain)/busy", "-f"], status: 22,
        lines: [
          "the server responded with 429 Too Many Requests, which --fail makes an error", "retry after: 30 s",
          "try: wait that long, or let --retry N do it",
        ]),
      Situation(
        arguments: ["http://\(plain)/gzip"], status: 61,
        lines: [
          "protocol_violation: The server \(plain) sent a body whose gzip coding is broken.",
          "request: GET http://\(plain)/gzip",
          "try: check the server, or get the content without a coding with -H 'Accept-Encoding: identity'",
        ]),
      Situation(
        arguments: ["http://\(plain)/fields"], status: 8,
        lines: [
          "protocol_violation: \(plain) sent more than 262144 bytes of header fields, or folded them 256 times.",
          "request: GET http://\(plain)/fields", "try: let the server send fewer or shorter ones",
        ]),
    ])
    // Whether the first bytes arrive before the reset depends on the system.
    let reset = try await RunningProgram.tool("get", "http://\(plain)/reset")
    #expect(reset.status == 56, "\(reset)")
    #expect(reset.errors.hasPrefix("switchyard: transport: The connection to \(plain) broke "))
    #expect(reset.errors.contains("\n  try: "))
  }
}
