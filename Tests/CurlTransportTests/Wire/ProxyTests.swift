import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ProxyTests {
  private func dispatcher(
    _ kind: Proxy.Kind, _ port: Int, credentials: Proxy.Credentials? = nil, tunnelsHTTP: Bool = false,
    except: [String] = [], authorityFile: String? = nil
  ) -> CurlDispatcher {
    let proxy = Proxy(
      kind, host: "127.0.0.1", port: port, credentials: credentials, tunnelsHTTP: tunnelsHTTP)
    return CurlDispatcher(
      configuration: .init(tls: .init(authorityFile: authorityFile), proxies: .init(proxy, except: except)))
  }

  /// A request to a name that only the proxy can look up.
  private func request(_ server: ScriptedServer, _ path: String = "/a?b=%20") -> Request {
    Request(scheme: "http", authority: "unknown.invalid:\(server.port)", path: path)
  }

  @Test("An http request goes in absolute form, or through a tunnel if the policy says so")
  func plainRequest() async throws {
    let server = try ScriptedServer { .text($0.value(of: "Host") ?? "") }
    let proxy = try ProxyServer(.http)
    let plain = try await dispatcher(.http, proxy.port).dispatch(request(server))
    let host = "unknown.invalid:\(server.port)"
    #expect(try await plain.body.collect(upTo: 100) == Array(host.utf8))
    #expect(plain.exchange.transport?.remoteAddress == "127.0.0.1:\(proxy.port)")
    let tunnel = try await dispatcher(.http, proxy.port, tunnelsHTTP: true).dispatch(request(server))
    #expect(tunnel.status == .ok)
    // The proxy's own response is not the server's.
    #expect(tunnel.head.headerFields[try #require(.init("X-Proxy"))] == nil)
    #expect(server.requests.last?.target == "/a?b=%20")
    #expect(
      proxy.sightings.value == [
        .init(method: "GET", target: "http://\(host)/a?b=%20", hasCredentials: false),
        .init(method: "CONNECT", target: host, hasCredentials: false),
      ])
  }

  @Test(
    "An https request keeps name, certificate and HTTP/2 through a tunnel",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"), arguments: [Proxy.Kind.http, .socks5])
  func tunnel(kind: Proxy.Kind) async throws {
    let server = try await NginxServer()
    let proxy = try ProxyServer(kind == .http ? .http : .socks5)
    let dispatcher = dispatcher(kind, proxy.port, authorityFile: server.certificates.authorityFile)
    let target = "\(CertificateSet.name):\(server.tlsPort())"
    for _ in 0..<2 {
      let response = try await dispatcher.dispatch(Request(authority: target, path: "/echo"))
      #expect(response.exchange.transport?.version == .http2)
      let lines = String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
      #expect(lines.contains(CertificateSet.name))
    }
    let method = kind == .http ? "CONNECT" : "SOCKS5"
    #expect(proxy.sightings.value == [.init(method: method, target: target, hasCredentials: false)])

    let wrong = Request(authority: "\(CertificateSet.name):\(server.tlsPort(.wrongName))", path: "/")
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(wrong) }
    #expect(error?.kind == .tls(.nameMismatch))
  }

  @Test(
    "The certificate of an https proxy is verified like a server's",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
  func tlsProxy() async throws {
    let server = try await NginxServer(hasHTTP2: false)
    let trusting = dispatcher(.https, server.tlsPort(), authorityFile: server.certificates.authorityFile)
    let request = Request(scheme: "http", authority: "unknown.invalid", path: "/echo")
    let response = try await trusting.dispatch(request)
    let text = String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
    #expect(text.contains("unknown.invalid\n"))

    let strict = dispatcher(.https, server.tlsPort())
    let error = await failure { () throws(NetworkError) in try await strict.dispatch(request) }
    #expect(error?.kind == .tls(.untrusted))
    #expect(error?.reason.contains("proxy https://127.0.0.1:\(server.tlsPort())") == true)
  }

  @Test("A SOCKS proxy gets the unresolved name and the credentials")
  func socks() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let proxy = try ProxyServer(.socks5, credentials: "alice:open-sesame")
    let own = dispatcher(.socks5, proxy.port, credentials: .init(user: "alice", password: "open-sesame"))
    #expect(try await own.dispatch(request(server)).status == .ok)
    #expect(
      proxy.sightings.value == [
        .init(method: "SOCKS5", target: "unknown.invalid:\(server.port)", hasCredentials: true)
      ])
  }

  @Test(
    "Missing and wrong proxy credentials are one error, which does not contain them",
    arguments: [(Proxy.Kind.http, true), (.http, false), (.socks5, true)],
    [Proxy.Credentials(user: "alice", password: "shut-sesame"), nil])
  func refusedCredentials(
    way: (kind: Proxy.Kind, tunnelsHTTP: Bool), credentials: Proxy.Credentials?
  ) async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let proxy = try ProxyServer(way.kind == .http ? .http : .socks5, credentials: "alice:open-sesame")
    let dispatcher = dispatcher(
      way.kind, proxy.port, credentials: credentials, tunnelsHTTP: way.tunnelsHTTP)
    let request = request(server, "/?secret").with {
      $0.head.method = .post
      $0.body = .text("content")
    }
    let error = try #require(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) })
    #expect(error.kind == .proxyAuthentication)
    #expect(error.reason.contains(credentials == nil ? "requires" : "did not accept"))
    #expect(error.reason.contains("ProxyPolicy"))
    #expect(error.reason.contains("127.0.0.1:\(proxy.port)") && error.reason.contains("credentials"))
    let said = "\(error) \(String(describing: error.underlying))"
    for secret in ["alice", "sesame", "YWxpY2U6", "secret"] { #expect(!said.contains(secret)) }
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(server.counts.accepted == 0)
  }

  @Test("Wrong credentials are one error for http and for https")
  func refusedTunnel() async throws {
    let proxy = try ProxyServer(.http, credentials: "alice:open-sesame")
    let dispatcher = dispatcher(.http, proxy.port, credentials: .init(user: "alice", password: "shut-sesame"))
    for scheme in ["http", "https"] {
      let request = Request(scheme: scheme, authority: "unknown.invalid", path: "/")
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
      #expect(error?.kind == .proxyAuthentication, "\(scheme)")
      #expect(error?.requestMayHaveBeenProcessed == false)
    }
    #expect(proxy.sightings.value.map(\.method) == ["GET", "CONNECT"])
  }

  @Test("A server's own 407 is a response, with and without a tunnel")
  func ordinaryAnswer() async throws {
    let server = try ScriptedServer { _ in .text("no", status: 407) }
    let proxy = try ProxyServer(.http)
    let through = dispatcher(.http, proxy.port, tunnelsHTTP: true)
    #expect(try await through.dispatch(request(server)).status.code == 407)
    #expect(try await CurlDispatcher().dispatch(.get(server)).status.code == 407)
  }

  @Test("Credentials travel byte for byte", arguments: [Proxy.Kind.http, .socks5])
  func credentialBytes(kind: Proxy.Kind) async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let proxy = try ProxyServer(kind == .http ? .http : .socks5, credentials: "al%41ice:50%25: ü@+ \"")
    let own = dispatcher(
      kind, proxy.port, credentials: .init(user: "al%41ice", password: "50%25: ü@+ \""))
    #expect(try await own.dispatch(request(server)).status == .ok)
  }

  @Test("The right credentials open the tunnel")
  func rightCredentials() async throws {
    let server = try ScriptedServer { .text($0.value(of: "Proxy-Authorization") ?? "none") }
    let proxy = try ProxyServer(.http, credentials: "alice:open-sesame")
    for tunnels in [true, false] {
      let own = dispatcher(
        .http, proxy.port, credentials: .init(user: "alice", password: "open-sesame"), tunnelsHTTP: tunnels)
      let response = try await own.dispatch(request(server))
      // They are the proxy's business alone.
      #expect(try await response.body.collect(upTo: 100) == Array("none".utf8))
    }
    #expect(proxy.sightings.value.allSatisfy { $0.hasCredentials })
  }

  @Test("Errors name the proxy that refused a tunnel or a connection")
  func failures() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let request = request(server)
    let closed = try ClosedPort()
    let http = try ProxyServer(.http, refusal: 403)
    let socks = try ProxyServer(.socks5, refusal: 2)
    let ways: [(Proxy.Kind, Int, String)] = [
      (.http, closed.port, "No connection to the proxy"),
      (.socks5, closed.port, "No connection to the proxy"),
      (.http, http.port, "status 403"), (.socks5, socks.port, "made no way"),
    ]
    for (kind, port, words) in ways {
      let dispatcher = dispatcher(kind, port, tunnelsHTTP: true)
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
      #expect(error?.kind == .connect, "\(kind) \(port)")
      #expect(error?.reason.contains(words) == true && error?.reason.contains("127.0.0.1:\(port)") == true)
      #expect(error?.requestMayHaveBeenProcessed == false)
    }
  }

  @Test("A connect target is ignored if a proxy applies, and only then")
  func connectTarget() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let closed = try ClosedPort()
    let proxy = try ProxyServer(.http)
    var pinned = request(server, "/")
    pinned.context.connectTarget = ConnectTarget(address: "127.0.0.1", port: closed.port)
    #expect(try await dispatcher(.http, proxy.port).dispatch(pinned).status == .ok)
    // Not a tunnel either, which libcurl would make of it.
    #expect(proxy.sightings.value.map(\.method) == ["GET"])

    pinned.context.connectTarget = ConnectTarget(address: "127.0.0.1", port: server.port)
    let direct = try await dispatcher(.http, closed.port, except: ["invalid"]).dispatch(pinned)
    #expect(direct.exchange.transport?.remoteAddress == server.authority)
  }
}
