import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite("Unix domain sockets", .timeLimit(.minutes(5)))
struct UnixSocketTests {
  private func dispatcher(_ path: String, proxies: ProxyPolicy = .direct) -> CurlDispatcher {
    CurlDispatcher(
      configuration: .init(proxies: proxies, connections: ConnectionPolicy(sockets: ["docker": path])))
  }

  private func text(_ response: Response) async throws -> String {
    String(decoding: try await response.body.collect(upTo: 1 << 16), as: UTF8.self)
  }

  @Test("Requests to a host go over its socket, with its name as Host, whatever the port and the proxy")
  func requests() async throws {
    let server = try await UnixSocketServer()
    let proxy = Proxy(.http, host: "127.0.0.1", port: 9)
    let dispatcher = dispatcher(server.path, proxies: ProxyPolicy(proxy))
    for (authority, line) in [("docker", "docker"), ("docker:2375", "docker:2375"), ("DOCKER", "DOCKER")] {
      let response = try await dispatcher.dispatch(
        Request(scheme: "http", authority: authority, path: "/version?a=1"))
      #expect(try await text(response) == "GET /version?a=1 \(line) ")
    }
    var upload = Request(method: .post, scheme: "http", authority: "docker", path: "/build")
    upload.body = .bytes(Array("layers".utf8))
    #expect(try await text(try await dispatcher.dispatch(upload)) == "POST /build docker layers")
    await dispatcher.shutdown()
  }

  @Test("A connection of the socket is reused, and other hosts don't use it")
  func reuse() async throws {
    let server = try await UnixSocketServer()
    let other = try ScriptedServer { _ in .text("over TCP") }
    let dispatcher = dispatcher(server.path)
    let request = Request(scheme: "http", authority: "docker", path: "/")
    _ = try await dispatcher.dispatch(request)
    let second = try await dispatcher.dispatch(request)
    #expect(second.exchange.transport?.connectionWasReused == true)
    let third = try await dispatcher.dispatch(
      Request.get(other))
    #expect(try await text(third) == "over TCP")
    await dispatcher.shutdown()
  }

  @Test("An address that the DNS bypass chose does not apply to a host with a socket")
  func connectTarget() async throws {
    let server = try await UnixSocketServer()
    let dispatcher = dispatcher(server.path)
    var request = Request(scheme: "http", authority: "docker", path: "/")
    request.context.connectTarget = ConnectTarget(address: "127.0.0.1", port: 9)
    #expect(try await text(try await dispatcher.dispatch(request)) == "GET / docker ")
    await dispatcher.shutdown()
  }

  @Test("Many requests at once share the socket's connections")
  func concurrency() async throws {
    let server = try await UnixSocketServer()
    let dispatcher = dispatcher(server.path)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<50 {
        group.addTask {
          let response = try await dispatcher.dispatch(
            Request(scheme: "http", authority: "docker", path: "/\(number)"))
          return String(decoding: try await response.body.collect(upTo: 1_000), as: UTF8.self)
            == "GET /\(number) docker "
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    await dispatcher.shutdown()
  }

  @Test("A socket on which nothing listens fails to connect, and the error names it")
  func missing() async throws {
    let dispatcher = dispatcher("/tmp/switchyard-no-such-socket")
    let error = await #expect(throws: NetworkError.self) {
      _ = try await dispatcher.dispatch(Request(scheme: "http", authority: "docker", path: "/"))
    }
    #expect(error?.kind == .connect)
    #expect(error?.reason.contains("over its socket /tmp/switchyard-no-such-socket") == true)
    #expect(error?.requestMayHaveBeenProcessed == false)
    await dispatcher.shutdown()
  }

  @Test(
    "A path that no socket can have is refused before anything is sent",
    arguments: ["", String(repeating: "a", count: 108), "/tmp/a\0b"])
  func paths(path: String) async throws {
    let dispatcher = dispatcher(path)
    let error = await #expect(throws: NetworkError.self) {
      _ = try await dispatcher.dispatch(Request(scheme: "http", authority: "docker", path: "/"))
    }
    #expect(error?.kind == .invalidRequest)
    await dispatcher.shutdown()
  }
}
