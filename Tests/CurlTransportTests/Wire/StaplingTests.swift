import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite(.timeLimit(.minutes(5)), .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
struct StaplingTests {
  private func status(_ server: NginxServer, requiresStapling: Bool) async -> (NetworkError?, Int?) {
    let dispatcher = CurlDispatcher(
      configuration: .init(
        tls: .init(authorityFile: server.certificates.authorityFile, requiresStapling: requiresStapling)))
    do throws(NetworkError) {
      let request = Request(authority: "127.0.0.1:\(server.tlsPort())", path: "/echo")
      return (nil, try await dispatcher.dispatch(request).status.code)
    } catch {
      return (error, nil)
    }
  }

  private func server(isRevoked: Bool) async throws -> NginxServer {
    try await NginxServer(tlsSettings: { certificates in
      let file = try await certificates.staple(.good, isRevoked: isRevoked)
      return "ssl_stapling on; ssl_stapling_file \(file);"
    })
  }

  @Test("A required staple is verified, and a missing one is named in the error")
  func required() async throws {
    let plain = try await NginxServer()
    let missing = await status(plain, requiresStapling: true).0
    #expect(missing?.kind == .tls(.untrusted))
    #expect(missing?.reason.contains("TLSPolicy(requiresStapling:)") == true)
    #expect(missing?.requestMayHaveBeenProcessed == false)
    #expect(await status(plain, requiresStapling: false).1 == 200)

    #expect(await status(try await server(isRevoked: false), requiresStapling: true).1 == 200)
    let revoked = await status(try await server(isRevoked: true), requiresStapling: true).0
    #expect(revoked?.kind == .tls(.untrusted))
    #expect(revoked?.reason.contains("TLSPolicy(requiresStapling:)") == true)
  }

  @Test("Every later connection staples again")
  func laterConnections() async throws {
    let server = try await NginxServer(
      hasHTTP2: false,
      tlsSettings: { certificates in
        let file = try await certificates.staple(.good, isRevoked: false)
        return "keepalive_timeout 0; ssl_session_cache builtin; ssl_stapling on; ssl_stapling_file \(file);"
      })
    let dispatcher = CurlDispatcher(
      configuration: .init(
        tls: .init(authorityFile: server.certificates.authorityFile, requiresStapling: true)))
    for _ in 0..<3 {
      let response = try await dispatcher.dispatch(
        Request(authority: "127.0.0.1:\(server.tlsPort())", path: "/echo"))
      #expect(response.status == .ok)
      #expect(response.exchange.transport?.connectionWasReused == false)
    }
  }
}
