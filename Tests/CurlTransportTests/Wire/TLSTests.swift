import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)), .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
struct TLSTests {
  private func trusting(_ server: NginxServer, requiresVersion13: Bool = false) -> CurlDispatcher {
    CurlDispatcher(
      configuration: .init(
        tls: .init(authorityFile: server.certificates.authorityFile, requiresVersion13: requiresVersion13)))
  }

  private func request(_ server: NginxServer, _ kind: CertificateSet.Kind = .good) -> Request {
    Request(authority: "127.0.0.1:\(server.tlsPort(kind))", path: "/echo?secret")
  }

  @Test("E4: TLS checks are on by default")
  func strangersAreNotTrusted() async throws {
    let server = try await NginxServer()
    let dispatcher = CurlDispatcher()
    // libcurl newer than 8.14 checks the name before it reports what OpenSSL says of the authority.
    let checksNameFirst = LoadedLibrary.loaded().version >= LibraryVersion(8, 15)
    for kind in CertificateSet.Kind.allCases {
      let request = request(server, kind)
      let error = try #require(
        await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) })
      let isMismatch = kind == .wrongName && checksNameFirst
      #expect(error.kind == .tls(isMismatch ? .nameMismatch : .untrusted), "\(kind)")
      #expect(error.reason.contains("127.0.0.1:\(server.tlsPort(kind))"))
      #expect(error.reason.contains(isMismatch ? "another name" : "TLSPolicy"))
      #expect(!error.reason.contains("secret"))
      #expect(!error.requestMayHaveBeenProcessed)
    }
  }

  @Test("A server that speaks HTTP without TLS is named as that")
  func plainServer() async throws {
    let server = try await NginxServer()
    let dispatcher = CurlDispatcher()
    let request = Request(authority: "127.0.0.1:\(server.port)", path: "/")
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .tls(.handshake))
    #expect(error?.reason.contains("use http:// if it is a server without TLS") == true, "\(error as Any)")
  }

  @Test("E4: Only certificates of the configured authority are trusted")
  func ownAuthority() async throws {
    let server = try await NginxServer()
    let dispatcher = trusting(server)
    let response = try await dispatcher.dispatch(request(server))
    #expect(response.status == .ok)
    let report = try #require(response.exchange.transport)
    #expect(try #require(report.phases.tls) > .zero)

    let faults: [(CertificateSet.Kind, NetworkError.TLSFault)] = [
      (.expired, .expired), (.wrongName, .nameMismatch), (.selfSigned, .untrusted),
    ]
    for (kind, fault) in faults {
      let request = request(server, kind)
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
      #expect(error?.kind == .tls(fault), "\(kind)")
      #expect(error?.requestMayHaveBeenProcessed == false)
    }
  }

  @Test("E4: A certificate that no authority in the configured file has signed is refused")
  func otherAuthority() async throws {
    let server = try await NginxServer()
    let dispatcher = CurlDispatcher(
      configuration: .init(tls: .init(authorityFile: server.certificates.certificate(.wrongName))))
    let request = request(server)
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .tls(.untrusted))
  }

  @Test("A missing file of authorities is named as the cause")
  func missingAuthorities() async throws {
    let server = try await NginxServer()
    let dispatcher = CurlDispatcher(configuration: .init(tls: .init(authorityFile: "/nowhere.pem")))
    let request = request(server)
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .tls(.untrusted))
    #expect(error?.reason.contains("file of trusted authorities") == true)
  }

  @Test("TLS 1.3 can be required")
  func minimumVersion() async throws {
    let server = try await NginxServer()
    let response = try await trusting(server, requiresVersion13: true).dispatch(request(server))
    #expect(response.status == .ok)
    let old = try await NginxServer(tlsVersions: "TLSv1.2")
    let request = request(old)
    let dispatcher = trusting(old, requiresVersion13: true)
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .tls(.handshake))
    #expect(try await trusting(old).dispatch(request).status == .ok)
  }

  @Test("Servers with older versions of TLS are refused")
  func oldVersions() async throws {
    let server = try await NginxServer(tlsVersions: "TLSv1 TLSv1.1")
    let dispatcher = trusting(server)
    let request = request(server)
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .tls(.handshake))
  }

  @Test("The handshake with a server without TLS fails")
  func noTLS() async throws {
    let server = try await NginxServer()
    let dispatcher = CurlDispatcher()
    let error = await failure { () throws(NetworkError) in
      try await dispatcher.dispatch(Request(authority: "127.0.0.1:\(server.port)", path: "/"))
    }
    #expect(error?.kind == .tls(.handshake))
    #expect(error?.requestMayHaveBeenProcessed == false)
  }

  @Test("E6: A connect target changes the address and nothing else")
  func connectTarget() async throws {
    let server = try await NginxServer()
    let dispatcher = trusting(server)
    var request = Request(authority: "\(CertificateSet.name):4433", path: "/echo")
    request.context.connectTarget = ConnectTarget(address: "127.0.0.1", port: server.tlsPort())
    let response = try await dispatcher.dispatch(request)
    let lines = String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[1] == CertificateSet.name)
    #expect(lines[2] == "\(CertificateSet.name):4433")
    #expect(response.exchange.transport?.remoteAddress == "127.0.0.1:\(server.tlsPort())")

    // The certificate is still checked against the name.
    request.context.connectTarget = ConnectTarget(address: "127.0.0.1", port: server.tlsPort(.wrongName))
    let error = await failure { [request] () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .tls(.nameMismatch))

    // The target lives for its request: without one, the name is looked up again and has no address.
    request.context.connectTarget = nil
    let lost = await failure { [request] () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(lost?.kind == .resolve)
  }

  @Test("A later connection resumes the session of an earlier one", arguments: ["TLSv1.2", "TLSv1.3"])
  func resumption(version: String) async throws {
    let server = try await NginxServer(
      hasHTTP2: false, tlsVersions: version,
      tlsSettings: { _ in
        "keepalive_timeout 0; ssl_session_cache builtin; add_header X-Resumed $ssl_session_reused always;"
      })
    let dispatcher = trusting(server)
    var resumed: [String?] = []
    for _ in 0..<3 {
      let response = try await dispatcher.dispatch(request(server))
      #expect(response.exchange.transport?.connectionWasReused == false)
      resumed.append(response.head.headerFields[try #require(.init("X-Resumed"))])
    }
    #expect(resumed == [".", "r", "r"])
  }
}
