import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

@testable import CurlTransport

@Suite("Connections without a request", .timeLimit(.minutes(5)))
struct ConnectingTests {
  private func dispatcher(_ server: NginxServer, priorKnowledge: Set<String> = []) -> CurlDispatcher {
    CurlDispatcher(
      configuration: .init(
        tls: .init(authorityFile: server.certificates.authorityFile),
        connections: ConnectionPolicy(priorKnowledge: priorKnowledge)))
  }

  private func lines(_ response: Response) async throws -> [Substring] {
    String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self).split(separator: "\n")
  }

  @Test(
    "The first request finds the connection open, however many calls there were at once",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
  func firstRequest() async throws {
    let server = try await NginxServer(locations: "location = /status { stub_status; }")
    let dispatcher = dispatcher(server)
    let request = Request(authority: "127.0.0.1:\(server.tlsPort())", path: "/echo")
    let status = Request(scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/status")
    func accepted() async throws -> Int {
      // The third line has the numbers of connections accepted and handled, and of requests.
      let line = try await lines(try await dispatcher.dispatch(status)).dropFirst(2).first ?? ""
      return try #require(Int(line.split(separator: " ").first ?? ""))
    }
    // One for each of the server's ports, by which its start was noticed, and that of the status. nginx may
    // accept the former later than the latter.
    let before = CertificateSet.Kind.allCases.count + 3
    try await waitUntil("nginx has accepted \(before) connections") { try await accepted() >= before }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { try await dispatcher.connect(for: request) } }
      try await group.waitForAll()
    }
    try await dispatcher.connect(for: request)
    #expect(await dispatcher.census().isEmpty)
    let response = try await dispatcher.dispatch(request)
    let transport = try #require(response.exchange.transport)
    #expect(transport.version == .http2)
    #expect(transport.connectionWasReused)
    #expect(transport.phases.tls == nil)
    #expect(try await lines(response).last == "1")
    let after = try await accepted()
    #expect(after == before + 1)
    await dispatcher.shutdown()
  }

  @Test(
    "The address of the request's context is connected",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
  func address() async throws {
    let server = try await NginxServer()
    let dispatcher = dispatcher(server)
    let request = Request(authority: "\(CertificateSet.name):\(server.tlsPort())", path: "/echo").with {
      $0.context.connectTarget = ConnectTarget(address: "127.0.0.1")
    }
    try await dispatcher.connect(for: request)
    let response = try await dispatcher.dispatch(request)
    #expect(response.exchange.transport?.connectionWasReused == true)
    await dispatcher.shutdown()
  }

  @Test(
    "After a change of the network another connection is opened, by a call as by a request",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
  func networkChange() async throws {
    let server = try await NginxServer()
    let dispatcher = dispatcher(server)
    let request = Request(authority: "127.0.0.1:\(server.tlsPort())", path: "/echo")
    try await dispatcher.connect(for: request)
    dispatcher.networkDidChange()
    #expect(try await dispatcher.dispatch(request).exchange.transport?.connectionWasReused == false)
    dispatcher.networkDidChange()
    try await dispatcher.connect(for: request)
    #expect(try await dispatcher.dispatch(request).exchange.transport?.connectionWasReused == true)
    await dispatcher.shutdown()
  }

  enum Other: CaseIterable {
    case secureHTTP1
    case plainHTTP1
    case plainHTTP2

    static var tested: [Other] {
      allCases.filter { $0 != .plainHTTP2 || LoadedLibrary.loaded().priorKnowledgeShortcoming == nil }
    }
  }

  @Test(
    "Another server gets no request, and the error says what to do",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"), arguments: Other.tested)
  func others(other: Other) async throws {
    let server = try await NginxServer(hasHTTP2: false)
    let dispatcher = dispatcher(server, priorKnowledge: other == .plainHTTP2 ? ["127.0.0.1"] : [])
    let (scheme, port) =
      switch other {
      case .secureHTTP1: ("https", server.tlsPort())
      case .plainHTTP1: ("http", server.port)
      case .plainHTTP2: ("http", server.http2Port)
      }
    let request = Request(scheme: scheme, authority: "127.0.0.1:\(port)", path: "/echo")
    let error = await failure { () async throws(NetworkError) in try await dispatcher.connect(for: request) }
    #expect(error?.kind == .unsupported)
    #expect(error?.reason.contains("HEAD") == true)
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(try await lines(try await dispatcher.dispatch(request)).last == "1")
    #expect(await dispatcher.census().isEmpty)
    await dispatcher.shutdown()
  }

  @Test("Nothing is sent to a server without TLS")
  func nothingSent() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let dispatcher = CurlDispatcher()
    let request = Request.get(server)
    let error = await failure { () async throws(NetworkError) in try await dispatcher.connect(for: request) }
    #expect(error?.kind == .unsupported)
    await dispatcher.shutdown()
    try await server.wait { $0.accepted == 1 && $0.closed == 1 }
    #expect(server.counts.requests == 0)
  }

  @Test("Trust applies as for a request", .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
  func trust() async throws {
    let server = try await NginxServer()
    let dispatcher = CurlDispatcher()
    let request = Request(authority: "127.0.0.1:\(server.tlsPort())", path: "/")
    let error = await failure { () async throws(NetworkError) in try await dispatcher.connect(for: request) }
    #expect(error?.kind == .tls(.untrusted))
    await dispatcher.shutdown()
  }

  @Test("A body, a refused connection, a cancelled task and a shut down dispatcher fail with their reason")
  func failures() async throws {
    let dispatcher = CurlDispatcher()
    let upload = Request(authority: "127.0.0.1:9", path: "/").with {
      $0.head.method = .post
      $0.body = .bytes([1])
    }
    let body = await failure { () async throws(NetworkError) in try await dispatcher.connect(for: upload) }
    #expect(body?.kind == .invalidRequest)
    let stopped = try ScriptedServer { _ in .text("never") }
    stopped.stop()
    let closed = Request(authority: stopped.authority, path: "/")
    let refusal = await failure { () async throws(NetworkError) in try await dispatcher.connect(for: closed) }
    #expect(refusal?.kind == .connect)

    // It accepts the connection, and does not answer in the handshake.
    let silent = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let request = Request(authority: silent.authority, path: "/")
    let task = Task {
      await failure { () async throws(NetworkError) in try await dispatcher.connect(for: request) }
    }
    try await silent.wait { $0.accepted == 1 }
    task.cancel()
    #expect(await task.value?.kind == .cancelled(.task))
    #expect(await dispatcher.census().isEmpty)
    await dispatcher.shutdown()
    let late = await failure { () async throws(NetworkError) in try await dispatcher.connect(for: request) }
    #expect(late?.kind == .cancelled(.shutdown))
  }
}
