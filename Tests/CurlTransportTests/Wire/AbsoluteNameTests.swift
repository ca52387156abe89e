import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

/// Names with a dot at the end, which are absolute to resolvers (RFC 1034, section 3.1).
@Suite("Absolute names", .timeLimit(.minutes(5)))
struct AbsoluteNameTests {
  @Test("SNI and certificate lack the dot, Host has it, and a connect target applies")
  func wire() async throws {
    let server = try await NginxServer()
    let tls = TLSPolicy(authorityFile: server.certificates.authorityFile)
    let dispatcher = CurlDispatcher(configuration: .init(tls: tls))
    var request = Request(authority: "\(CertificateSet.name).:4433", path: "/echo")
    request.context.connectTarget = ConnectTarget(address: "127.0.0.1", port: server.tlsPort())
    let response = try await dispatcher.dispatch(request)
    let lines = String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[1] == CertificateSet.name)
    #expect(lines[2] == "\(CertificateSet.name).:4433")
    await dispatcher.shutdown()
  }

  @Test("Whatever applies to a name applies to it with a dot, and the other way round")
  func tables() throws {
    let proxy = Proxy(.http, host: "proxy.test", port: 1)
    let pins = [PublicKeyPinsTests.one, PublicKeyPinsTests.two]
    for (entry, host) in [
      ("A.test", "a.test."), ("a.test.", "A.TEST"), ("a.test.", "a.test."), ("a.test", "a.test"),
    ] {
      var configuration = CurlDispatcher.Configuration(proxies: ProxyPolicy(proxy, except: [entry]))
      configuration.tls.pins = try PublicKeyPins([entry: pins])
      configuration.tls.clientCertificate = ClientCertificate(
        certificateFile: "c.pem", keyFile: "k.pem", hosts: [entry])
      configuration.connections.priorKnowledge = [entry]
      func options(_ scheme: String) throws -> OriginOptions {
        try SiteCache(configuration).site(
          of: HTTPRequest(method: .get, scheme: scheme, authority: host, path: "/")
        )
        .options
      }
      let secure = try options("https")
      #expect(secure.proxy == nil && secure.pins?.pins == pins && secure.sendsCertificate)
      #expect(try options("http").hasPriorKnowledge)
      configuration.connections.sockets = [entry: "/run/a.socket"]
      #expect(try options("http").socket == "/run/a.socket")
    }
  }

  @Test(
    "A host that no request has is refused in every table, with its text and its place",
    arguments: [
      "*.a.test", "a.test:443", ".a.test", "a..test", "https://a.test", "127.1", "", ".", "bücher.test",
    ])
  func unreachable(host: String) throws {
    let tables: [(String, (inout CurlDispatcher.Configuration) -> Void)] = [
      ("ConnectionPolicy(sockets:)", { $0.connections.sockets = [host: "/run/a.socket"] }),
      ("ConnectionPolicy(priorKnowledge:)", { $0.connections.priorKnowledge = [host] }),
      (
        "ClientCertificate(hosts:)",
        {
          $0.tls.clientCertificate = ClientCertificate(
            certificateFile: "c.pem", keyFile: "k.pem", hosts: [host])
        }
      ),
    ]
    for (place, change) in tables {
      var configuration = CurlDispatcher.Configuration()
      change(&configuration)
      let error = try #require(throws: NetworkError.self) {
        _ = try SiteCache(configuration).site(
          of: HTTPRequest(method: .get, scheme: "https", authority: "b.test", path: "/"))
      }
      #expect(error.kind == .invalidRequest)
      #expect(error.reason.contains(place) && error.reason.contains("\"\(host.printable)\""), "\(error)")
    }
    let pins = [PublicKeyPinsTests.one, PublicKeyPinsTests.two]
    #expect(throws: PublicKeyPins.Fault(.invalidHost(host))) { try PublicKeyPins([host: pins]) }
  }
}
