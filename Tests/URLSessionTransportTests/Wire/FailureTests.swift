import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import Testing
import URLSessionTransport

@Suite(.timeLimit(.minutes(5)))
struct FailureTests {
  let dispatcher = URLSessionDispatcher()

  @Test("A refused connection is a connect failure")
  func refusedConnection() async throws {
    let closed = try ClosedPort()
    let request = Request(
      method: .post, scheme: "http", authority: "127.0.0.1:\(closed.port)", path: "/?secret", body: .text("x")
    )
    let error = try #require(await dispatcher.failure(of: request))
    #expect(error.kind == .connect)
    #expect(error.reason.contains("127.0.0.1:\(closed.port)"))
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(error.underlying(as: URLSessionError.self)?.code == NSURLErrorCannotConnectToHost)
    #expect(!"\(error) \(String(describing: error.underlying))".contains("secret"))
  }

  @Test("A host name without an address is a resolve failure")
  func unknownHost() async throws {
    let request = Request(scheme: "http", authority: "unknown.invalid", path: "/?secret")
    let error = try #require(await dispatcher.failure(of: request))
    #expect(error.kind == .resolve)
    #expect(error.reason.contains("unknown.invalid"))
    #expect(!error.requestMayHaveBeenProcessed)
  }

  /// An incomplete or invalid response, with a short name for the output.
  struct BrokenAnswer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let wire: String
    let kind: NetworkError.Kind

    init(_ name: String, _ wire: String, _ kind: NetworkError.Kind = .protocolViolation) {
      testDescription = name
      self.wire = wire
      self.kind = kind
    }
  }

  @Test(
    "An incomplete or invalid response is a typed failure",
    arguments: [
      BrokenAnswer("nothing", "", .transport),
      BrokenAnswer("half a body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", .transport),
      BrokenAnswer("no chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\nfoo"),
      BrokenAnswer("not HTTP", "this is not HTTP\r\n\r\nfoo"),
      BrokenAnswer("no colon", "HTTP/1.1 200 OK\r\nNoColonHere\r\nContent-Length: 2\r\n\r\nok"),
      BrokenAnswer("no gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok"),
      BrokenAnswer("odd coding", "HTTP/1.1 200 OK\r\nContent-Encoding: odd\r\nContent-Length: 2\r\n\r\nok"),
      BrokenAnswer(
        "long field", "HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "a", count: 200_000))\r\n\r\n"),
    ])
  func brokenAnswers(answer: BrokenAnswer) async throws {
    let server = try ScriptedServer(raw: { _, wire in try wire.send(answer.wire) })
    let error = try #require(await dispatcher.failure(of: .get(server, "/?secret")))
    #expect(error.kind == answer.kind)
    #expect(error.requestMayHaveBeenProcessed)
    #expect(error.reason.contains(server.authority))
    #expect(!"\(error) \(String(describing: error.underlying))".contains("secret"))
  }

  @Test(
    "A server without a certificate of a trusted authority is refused",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"), arguments: CertificateSet.Kind.allCases)
  func untrusted(kind: CertificateSet.Kind) async throws {
    let server = try await NginxServer()
    let request = Request(authority: "127.0.0.1:\(server.tlsPort(kind))", path: "/echo")
    let error = try #require(await dispatcher.failure(of: request))
    guard case .tls = error.kind else {
      Issue.record("It is not a TLS failure: \(error)")
      return
    }
    #expect(!error.requestMayHaveBeenProcessed)
  }

  #if !canImport(Darwin)
  // A limitation of Foundation that the documentation warns of; if this test fails, the warning can be
  // removed.
  @Test("A server that sends trailers ends the process, inside of Foundation")
  func trailers() async {
    await #expect(processExitsWith: .failure) {
      let server = try ScriptedServer { _ in
        ScriptedReply(body: [1, 2, 3], framing: .chunks(of: 2), trailers: [("X-Sum", "6")])
      }
      _ = try await URLSessionDispatcher().dispatch(.get(server))
    }
  }
  #endif
}
