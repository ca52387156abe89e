import CommandRunning
import CurlTransport
import DNSBypass
import HTTPTypes
import Interception
import LoopbackServing
import Testing

/// Look-ups over TLS, for requests over the loopback interface; the names don't exist in any DNS.
@Suite(.timeLimit(.minutes(5)))
struct HTTPSNameResolverWireTests {
  @Test("A name that only the resolver knows is reached, over TLS that verifies the resolver")
  func lookUp() async throws {
    let folder = try TemporaryFolder(prefix: "certificates")
    let certificates = try await CertificateSet(in: folder.url)
    let server = try ScriptedServer { _ in .text("here") }
    let names = try await HTTPSNameServer(
      ["estate.invalid": ["127.0.0.1"], "far.invalid": ["10.9.9.9"]], certificates)
    func send(to host: String, trusting file: String?) async throws -> Response {
      var configuration = CurlDispatcher.Configuration()
      if let file { configuration.tls.authorityFile = file }
      let resolver = try HTTPSNameResolver(
        names.url, over: CurlDispatcher(configuration: configuration), allowing: [.loopback])
      let bypass = DNSBypassInterceptor(.empty, resolver: resolver, prober: nil)
      let pipeline = try Pipeline(over: CurlDispatcher()) { bypass }
      for _ in 0..<2 {
        _ = try await pipeline.send(Request(scheme: "http", authority: "\(host):\(server.port)", path: "/"))
      }
      return try await pipeline.send(
        Request(scheme: "http", authority: "\(host):\(server.port)", path: "/"))
    }
    let response = try await send(to: "estate.invalid", trusting: certificates.authorityFile)
    #expect(try await response.body.collect(upTo: 99) == Array("here".utf8))
    #expect(response.exchange.transport?.remoteAddress == server.authority)
    #expect(server.requests.first?.value(of: "Host") == "estate.invalid:\(server.port)")
    // Three requests need one look-up of each kind of addresses.
    #expect(names.questions.sorted() == ["estate.invalid 1", "estate.invalid 28"])

    // A private address, a name that doesn't exist, and a resolver that is not trusted leave the host to the
    // system's DNS.
    for (host, file) in [
      ("far.invalid", certificates.authorityFile), ("none.invalid", certificates.authorityFile),
      ("estate.invalid", nil),
    ] as [(String, String?)] {
      let error = await #expect(throws: NetworkError.self) { _ = try await send(to: host, trusting: file) }
      #expect(error?.kind == .resolve, "\(host)")
    }
  }
}
