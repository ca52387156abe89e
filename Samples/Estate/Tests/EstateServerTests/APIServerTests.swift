import Foundation
import HTTPServing
import HTTPTypes
import Interception
import Logging
import RequestSigning
import Testing

@testable import EstateServer

/// The server behind nginx over real sockets, with curl as a client that shares no code with it.
@Suite(.timeLimit(.minutes(5)), .serialized, .enabled(if: CurlProgram.isNeeded, "curl is not installed"))
struct APIServerTests {
  @Test("The server speaks HTTP/2 and HTTP/1.1 to a client that trusts ca.pem")
  func protocols() async throws {
    try await withServer { server in
      let two = try await server.curl(["--http2", "-i", "\(server.origin)/v1/houses?size=1"])
      #expect(two.status == 0)
      #expect(two.output.hasPrefix("HTTP/2 200"))
      #expect(two.output.lowercased().contains("\r\ndate: "))
      #expect(two.output.contains(#""total":866"#))
      let one = try await server.curl(["--http1.1", "-i", "\(server.origin)/v1/homes/1"])
      #expect(one.output.hasPrefix("HTTP/1.1 200 OK"))
      #expect(one.output.lowercased().contains("\r\ndate: "))
    }
  }

  @Test("HEAD and 304 have no body over the wire", arguments: ["--http2", "--http1.1"])
  func bodiless(version: String) async throws {
    try await withServer { server in
      let common = [version, "-sS", "-w", "%{http_code} %{size_download} %header{etag}", "-o", "/dev/null"]
      let target = "\(server.origin)/v1/houses"
      let get = try await server.curl(common + [target]).output.split(separator: " ")
      #expect(get.first == "200" && get[1] != "0")
      let head = try await server.curl(common + ["-I", target]).output
      #expect(head == "200 0 \(get[2])")
      let again = try await server.curl(common + ["-H", "If-None-Match: \(get[2])", target]).output
      #expect(again == "304 0 \(get[2])")
    }
  }

  @Test("The certificate is valid for localhost, 127.0.0.1 and api.estate.test, and for no other name")
  func names() async throws {
    try await withServer { server in
      for name in ["localhost", "127.0.0.1", "api.estate.test"] {
        let reply = try await server.curl(server.arguments(for: name))
        #expect(reply.status == 0, "\(name): \(reply.output)")
      }
      // 60: the peer's certificate is not accepted.
      #expect(try await server.curl(server.arguments(for: "example.com")).status == 60)
    }
  }

  @Test(
    "A signed request is accepted over the wire once, an unsigned one is not",
    arguments: ["--http2", "--http1.1"])
  func signed(version: String) async throws {
    let key = try DemoKey(id: "demo", secretHex: SharedKeyVerifierTests.secret)
    let signer = RequestSigner(key: try SigningKey(id: key.id, secret: key.secret))
    try await withServer(verifier: SharedKeyVerifier(key: key)) { server in
      let path = "/v1/houses?city=elk%20grove"
      let head = HTTPRequest(method: .get, scheme: "https", authority: "localhost:\(server.port)", path: path)
      let fields = try signer.sign(head, body: [], at: .now(), nonce: .random())
      let headers = fields.flatMap { ["-H", "\($0.name.rawName): \($0.value)"] }
      let common = [version, "-o", "/dev/null", "-w", "%{http_code}"] + [server.origin + path]
      #expect(try await server.curl(common + headers).output == "200")
      #expect(try await server.curl(common + headers).output == "401")
      #expect(try await server.curl(common).output == "401")
    }
  }

  @Test("A client that does not trust ca.pem refuses the connection")
  func untrusted() async throws {
    try await withServer { server in
      let reply = try await CurlProgram.run(["-sS", "\(server.origin)/help.html"])
      #expect(reply.status == 60)
    }
  }

  @Test("A gzip-coded body over the wire arrives plain, and one that is too large is 413")
  func bodies() async throws {
    try await withServer { server in
      let scratch = ScratchDirectory()
      try scratch.write("", to: "empty")
      let note = try GzipCoding.encode(BodyDecodingTests.note)
      try Data(note).write(to: URL(filePath: "\(scratch.path)/note.gz"))
      let bomb = try GzipCoding.encode([UInt8](repeating: 0, count: 8 * BodyLimits.decoded))
      try Data(bomb).write(to: URL(filePath: "\(scratch.path)/bomb.gz"))
      // Beyond the limit of nginx, which must refuse it as the API does.
      try Data(count: 5 * BodyLimits.encoded).write(to: URL(filePath: "\(scratch.path)/large"))
      for version in ["--http2", "--http1.1"] {
        let common = [version, "-H", "Content-Encoding: gzip", "-o", "/dev/null", "-w", "%{http_code}"]
        let target = "\(server.origin)/v1/notes"
        let taken = try await server.curl(common + ["--data-binary", "@\(scratch.path)/note.gz", target])
        #expect(taken.output == "201")
        let refused = try await server.curl(common + ["--data-binary", "@\(scratch.path)/bomb.gz", target])
        #expect(refused.output == "413")
        let large = try await server.curl([version, "--data-binary", "@\(scratch.path)/large", target])
        #expect(large.output.contains(#""code":"body_too_large""#))
      }
    }
  }

  @Test("A slow response is cancelled when its client leaves", arguments: ["--http2", "--http1.1"])
  func clientLeaves(version: String) async throws {
    let (lines, log) = AsyncStream.makeStream(of: String.self)
    let logger = Logger(label: "test") { _ in LineLogHandler(lines: log) }
    try await withServer(slowDelay: .seconds(3600), logger: logger) { server in
      let slow = try await server.curl([version, "--max-time", "0.3", "\(server.origin)/v1/demo/slow"])
      // 28: curl's time limit.
      #expect(slow.status == 28)
      // Without the cancellation this line would come after an hour; the time limit makes that a failure.
      for await line in lines where line == "GET /v1/demo/slow 503" { break }
    }
  }

  @Test("A graceful stop answers a slow request with 503", arguments: ["--http2", "--http1.1"])
  func serverStops(version: String) async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let slow = try await withServer(
      verifier: AnnouncingVerifier(arrival: arrival), slowDelay: .seconds(3600)
    ) { server in
      let slow = Task { try await server.curl([version, "-i", "\(server.origin)/v1/demo/slow"]) }
      for await _ in arrivals { break }
      return slow
    }
    let reply = try await slow.value
    #expect(reply.output.contains(" 503") && reply.output.contains(#""code":"stopping""#))
  }

  @Test("An address that is stopped refuses connections until it is started again, and the last one stays")
  func addresses() async throws {
    try await withServer { server in
      let other = ["--connect-to", "localhost:\(server.port):127.0.0.2:\(server.port)"]
      let page = "\(server.origin)/help.html"
      let addresses = "\(server.origin)/v1/demo/addresses/"
      let stopped = try await server.curl(["-X", "DELETE", addresses + "127.0.0.1"])
      #expect(stopped.output == #"{"addresses":["127.0.0.2"]}"#)
      // 7: no connection.
      #expect(try await server.curl([page]).status == 7)
      #expect(try await server.curl(other + [page]).output.contains("Estate help"))
      let last = try await server.curl(other + ["-X", "DELETE", addresses + "127.0.0.2"])
      #expect(last.output.contains(#""code":"last_address""#))
      let started = try await server.curl(other + ["-X", "PUT", addresses + "127.0.0.1"])
      #expect(started.output == #"{"addresses":["127.0.0.1","127.0.0.2"]}"#)
      #expect(try await server.curl([page]).status == 0)
      let unknown = try await server.curl(["-X", "PUT", addresses + "192.0.2.1"])
      #expect(unknown.output.contains(#""code":"unknown_address""#))
    }
  }

  @Test("A taken port is reported with what to do")
  func taken() async throws {
    try await withServer { server in
      let directory = try StateDirectory(path: server.state.path)
      let second = APIServer(
        api: EstateAPI(listings: try .sacramento()), directory: directory, port: server.port, logger: .silent)
      let error = await #expect(throws: ServingError.self) { try await second.run(until: {}) { _ in } }
      #expect(error == .portTaken(server.port))
      #expect(error?.description.contains("--port") == true)
    }
  }

  @Test("An nginx that can't start is reported with its message")
  func nginxFails() async throws {
    let state = ScratchDirectory()
    let directory = try StateDirectory(path: state.path)
    _ = try ServerCertificate.prepare(in: directory)
    try state.write("nonsense", to: ServerCertificate.certificateName)
    let server = APIServer(
      api: EstateAPI(listings: try .sacramento()), directory: directory, port: 0, logger: .silent)
    let error = await #expect(throws: ProxyError.self) { try await server.run(until: {}) { _ in } }
    #expect(error?.description.contains("server.pem") == true)
  }
}

// MARK: A running server

/// A server on a free port.
struct RunningServer: Sendable {
  let port: UInt16
  let state: ScratchDirectory

  var origin: String { "https://localhost:\(port)" }

  /// Trusts ca.pem, prints nothing but the answer.
  func curl(_ arguments: [String]) async throws -> ChildProcess.Outcome {
    try await CurlProgram.run(["-sS", "--cacert", "\(state.path)/ca.pem"] + arguments)
  }

  func arguments(for name: String) -> [String] {
    ["--connect-to", "\(name):\(port):127.0.0.1:\(port)", "https://\(name):\(port)/help.html"]
  }
}

extension Logger {
  static var silent: Logger { Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }) }
}

/// Accepts every request and announces its arrival.
struct AnnouncingVerifier: RequestVerifying {
  let arrival: AsyncStream<Void>.Continuation

  func verify(_ request: ReceivedRequest) async throws(SignatureRefusal) {
    arrival.yield()
  }
}

/// Runs `body` beside a server that accepts every signature, and stops the server gracefully after it.
func withServer<Value: Sendable>(
  verifier: any RequestVerifying = AcceptingVerifier(), slowDelay: Duration = .seconds(30),
  logger: Logger = .silent, _ body: @Sendable (RunningServer) async throws -> Value
) async throws -> Value {
  let state = ScratchDirectory()
  let directory = try StateDirectory(path: state.path)
  _ = try ServerCertificate.prepare(in: directory)
  let api = EstateAPI(listings: try .sacramento(), verifier: verifier, slowDelay: slowDelay)
  let server = APIServer(api: api, directory: directory, port: 0, logger: logger)
  let (ports, announce) = AsyncStream.makeStream(of: UInt16.self)
  let (stops, stop) = AsyncStream.makeStream(of: Void.self)
  let running = Task {
    defer { announce.finish() }
    try await server.run(until: { for await _ in stops {} }, onListening: { announce.yield($0) })
  }
  var iterator = ports.makeAsyncIterator()
  guard let port = await iterator.next() else {
    try await running.value
    throw CancellationError()
  }
  let outcome: Result<Value, any Error>
  do {
    outcome = .success(try await body(RunningServer(port: port, state: state)))
  } catch {
    outcome = .failure(error)
  }
  stop.finish()
  try await running.value
  return try outcome.get()
}
