import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite(
  "HTTP/2 without TLS", .timeLimit(.minutes(5)),
  .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
struct PriorKnowledgeTests {
  private static let isSupported = LoadedLibrary.loaded().priorKnowledgeShortcoming == nil

  private func dispatcher(
    _ hosts: Set<String> = ["127.0.0.1"], proxies: ProxyPolicy = .direct,
    authorityFile: String? = nil
  ) -> CurlDispatcher {
    CurlDispatcher(
      configuration: .init(
        tls: .init(authorityFile: authorityFile), proxies: proxies,
        connections: ConnectionPolicy(priorKnowledge: hosts)))
  }

  private func request(_ server: NginxServer, _ path: String = "/echo") -> Request {
    Request(scheme: "http", authority: "127.0.0.1:\(server.http2Port)", path: path)
  }

  @Test(
    "Requests to a named host use HTTP/2 and share one connection",
    .enabled(if: isSupported, "it needs libcurl 8.0"))
  func sharing() async throws {
    let server = try await NginxServer()
    let dispatcher = dispatcher()
    let request = request(server)
    let reports = try await withThrowingTaskGroup(of: TransportReport?.self) { group in
      for _ in 0..<50 { group.addTask { try await dispatcher.dispatch(request).exchange.transport } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reports.count == 50)
    #expect(reports.allSatisfy { $0?.version == .http2 })
    #expect(reports.count { $0?.connectionWasReused == false } == 1)
    let text = try await dispatcher.dispatch(request).body.collect(upTo: 1000)
    #expect(text.starts(with: Array("HTTP/2.0\n".utf8)))
    #expect(await dispatcher.census().isEmpty)
    await dispatcher.shutdown()
  }

  @Test(
    "Uploads of known and unknown length arrive whole beside downloads",
    .enabled(if: isSupported, "it needs libcurl 8.0"), arguments: [true, false])
  func bodies(isLengthKnown: Bool) async throws {
    let size = 4 << 20
    let server = try await NginxServer(files: ["large": PatternSource.bytes(at: 0, count: size)])
    let dispatcher = dispatcher()
    let get = request(server, "/large")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        var put = request(server, "/store/\(number)")
        put.head.method = .put
        put.body = .once(length: isLengthKnown ? Int64(size) : nil, PatternSource(length: size))
        group.addTask { [put] in
          #expect(try await dispatcher.dispatch(put).status.code == 201)
          let stored = try #require(server.stored("\(number)"))
          #expect(stored.count == size && PatternSource.matches(Array(stored), at: 0))
        }
        group.addTask {
          let bytes = try await dispatcher.dispatch(get).body.collect(upTo: size)
          #expect(bytes.count == size && PatternSource.matches(bytes, at: 0))
        }
      }
      try await group.waitForAll()
    }
    await dispatcher.shutdown()
  }

  @Test("Other hosts, and https, are requested as before")
  func others() async throws {
    let server = try await NginxServer()
    let dispatcher = dispatcher(authorityFile: server.certificates.authorityFile)
    let secure = try await dispatcher.dispatch(
      Request(authority: "127.0.0.1:\(server.tlsPort())", path: "/echo"))
    #expect(secure.exchange.transport?.version == .http2)
    let other = try await dispatcher.dispatch(
      Request(scheme: "http", authority: "localhost:\(server.port)", path: "/echo"))
    #expect(other.exchange.transport?.version == .http1)
    await dispatcher.shutdown()
  }

  @Test(
    "A server that speaks HTTP/1.1 alone fails the request with the remedy, for each request anew",
    .enabled(if: isSupported, "it needs libcurl 8.0"))
  func wrongServer() async throws {
    let server = try await NginxServer()
    let dispatcher = dispatcher()
    for _ in 0..<2 {
      let error = await failure { () async throws(NetworkError) in
        try await dispatcher.dispatch(
          Request(scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/echo"))
      }
      #expect(error?.kind == .transport)
      #expect(
        error?.reason.contains("ConnectionPolicy(priorKnowledge:)") == true, "\(String(describing: error))")
    }
    #expect(await dispatcher.census().isEmpty)
    await dispatcher.shutdown()
  }

  @Test(
    "A proxy that forwards gets HTTP/1.1, and a tunnel carries HTTP/2",
    .enabled(if: isSupported, "it needs libcurl 8.0"), arguments: [false, true])
  func proxy(tunnelsHTTP: Bool) async throws {
    let server = try await NginxServer()
    let proxy = try ProxyServer(.http)
    let dispatcher = dispatcher(
      proxies: .init(Proxy(.http, host: "127.0.0.1", port: proxy.port, tunnelsHTTP: tunnelsHTTP)))
    let port = tunnelsHTTP ? server.http2Port : server.port
    let response = try await dispatcher.dispatch(
      Request(scheme: "http", authority: "127.0.0.1:\(port)", path: "/echo"))
    #expect(response.exchange.transport?.version == (tunnelsHTTP ? .http2 : .http1))
    #expect(proxy.sightings.value.map(\.method) == [tunnelsHTTP ? "CONNECT" : "GET"])
    await dispatcher.shutdown()
  }

  @Test("With libcurl before 8.0 only the named hosts fail, with the version that would do")
  func oldLibrary() async throws {
    let server = try await NginxServer()
    let dispatcher = CurlDispatcher(
      configuration: .init(connections: ConnectionPolicy(priorKnowledge: ["127.0.0.1"])), time: .system,
      library: LoadedLibrary(version: LibraryVersion(7, 88, 1)))
    let request = request(server)
    let error = await failure { () async throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .unsupported)
    #expect(error?.reason.contains("8.0.0") == true)
    let other = try await dispatcher.dispatch(
      Request(scheme: "http", authority: "localhost:\(server.port)", path: "/echo"))
    #expect(other.exchange.transport?.version == .http1)
    await dispatcher.shutdown()
  }
}
