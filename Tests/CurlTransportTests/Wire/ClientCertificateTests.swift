import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite(.timeLimit(.minutes(5)), .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
struct ClientCertificateTests {
  /// A server that demands a certificate of its own authority; without one it answers 400.
  private func server() async throws -> NginxServer {
    try await NginxServer(tlsSettings: { certificates in
      "ssl_verify_client on; ssl_client_certificate \(certificates.authorityFile);"
    })
  }

  private func dispatcher(_ server: NginxServer, _ certificate: ClientCertificate?) -> CurlDispatcher {
    CurlDispatcher(
      configuration: .init(
        tls: .init(authorityFile: server.certificates.authorityFile, clientCertificate: certificate)))
  }

  private func request(_ server: NginxServer) -> Request {
    Request(authority: "127.0.0.1:\(server.tlsPort())", path: "/echo")
  }

  private func certificate(
    _ server: NginxServer, key: String? = nil, hosts: Set<String>? = nil,
    passphrase: (@Sendable () -> String)? = nil
  ) -> ClientCertificate {
    ClientCertificate(
      certificateFile: server.certificates.certificate(.good), keyFile: key ?? server.certificates.key(.good),
      hosts: hosts, passphrase: passphrase)
  }

  @Test("E4: A server that requests a certificate gets the one for its host")
  func shown() async throws {
    let server = try await server()
    #expect(try await dispatcher(server, nil).dispatch(request(server)).status.code == 400)
    let own = dispatcher(server, certificate(server))
    #expect(try await own.dispatch(request(server)).status == .ok)
    let here = dispatcher(server, certificate(server, hosts: ["127.0.0.1"]))
    #expect(try await here.dispatch(request(server)).status == .ok)
    let elsewhere = dispatcher(server, certificate(server, hosts: ["elsewhere.test"]))
    #expect(try await elsewhere.dispatch(request(server)).status.code == 400)
  }

  @Test("An encrypted key is opened with a passphrase that is requested once and never shown")
  func encryptedKey() async throws {
    let server = try await server()
    let key = try await server.certificates.encryptedKey(.good, passphrase: "open-sesame")
    let asked = Watched(0)
    let shown = certificate(server, key: key) {
      asked.update { $0 += 1 }
      return "open-sesame"
    }
    let own = dispatcher(server, shown)
    for _ in 0..<3 { #expect(try await own.dispatch(request(server)).status == .ok) }
    #expect(asked.value == 1)
    var dumped = ""
    dump(own.configuration, to: &dumped)
    #expect(!dumped.contains("sesame"))

    for wrong in [certificate(server, key: key) { "shut-sesame" }, certificate(server, key: key)] {
      let dispatcher = dispatcher(server, wrong)
      let request = request(server)
      let error = try #require(
        await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) })
      #expect(error.kind == .tls(.handshake))
      #expect(error.reason.contains("passphrase") && error.reason.contains("TLSPolicy(clientCertificate:)"))
      #expect(!"\(error) \(String(describing: error.underlying))".contains("sesame"))
      #expect(!error.requestMayHaveBeenProcessed)
    }
  }

  @Test("A missing file is reported as an invalid request")
  func missingFile() async throws {
    let server = try await server()
    let dispatcher = dispatcher(
      server, .init(certificateFile: "/nowhere.pem", keyFile: server.certificates.key(.good)))
    let request = request(server)
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .tls(.handshake))
    #expect(error?.reason.contains("TLSPolicy(clientCertificate:)") == true)
  }
}
