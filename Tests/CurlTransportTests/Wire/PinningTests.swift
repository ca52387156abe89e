import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite(.timeLimit(.minutes(5)), .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
struct PinningTests {
  static let spare = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
  static let other = "sha256/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="

  /// A dispatcher that pins the loopback address, and what it reported.
  private func pinned(
    _ server: NginxServer, to pins: [String], isEnforced: Bool = true,
    host: String = "127.0.0.1",
    trusts: Bool = true
  ) throws -> (CurlDispatcher, Watched<[PinMismatch]>) {
    let reports = Watched<[PinMismatch]>([])
    var tls = TLSPolicy(
      pins: try PublicKeyPins([host: pins], isEnforced: isEnforced),
      onPinMismatch: { mismatch in reports.update { $0.append(mismatch) } })
    if trusts { tls.authorityFile = server.certificates.authorityFile }
    return (CurlDispatcher(configuration: .init(tls: tls)), reports)
  }

  private func request(_ server: NginxServer, _ kind: CertificateSet.Kind = .good) -> Request {
    Request(authority: "127.0.0.1:\(server.tlsPort(kind))", path: "/echo")
  }

  @Test("E4: A key that matches any of the pins is accepted")
  func match() async throws {
    let server = try await NginxServer()
    let key = try await server.certificates.pin(.good)
    for pins in [[key, Self.spare], [Self.spare, key]] {
      let (dispatcher, reports) = try pinned(server, to: pins)
      #expect(try await dispatcher.dispatch(request(server)).status == .ok)
      #expect(reports.value.isEmpty)
    }
  }

  @Test("E4: A key that matches no pin is refused, and reported with the key that was seen")
  func mismatch() async throws {
    let server = try await NginxServer()
    let (dispatcher, reports) = try pinned(server, to: [Self.spare, Self.other])
    let request = request(server)
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .tls(.pinMismatch))
    #expect(error?.requestMayHaveBeenProcessed == false)
    let report = try #require(await reports.wait { !$0.isEmpty }.first)
    #expect(report.host == "127.0.0.1" && report.port == server.tlsPort())
    #expect(report.expected == [Self.spare, Self.other])
    #expect(try await server.certificates.pin(.good) == report.seen)
    #expect(report.wasRefused)
  }

  @Test("Without a callback, a key that is not pinned is refused too")
  func noCallback() async throws {
    let server = try await NginxServer()
    let dispatcher = CurlDispatcher(
      configuration: .init(
        tls: .init(
          authorityFile: server.certificates.authorityFile,
          pins: try PublicKeyPins(["127.0.0.1": [Self.spare, Self.other]]))))
    let request = request(server)
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .tls(.pinMismatch))
  }

  @Test("Report-only pins allow the connection, and report each one once")
  func reportOnly() async throws {
    let server = try await NginxServer()
    let (dispatcher, reports) = try pinned(server, to: [Self.spare, Self.other], isEnforced: false)
    for _ in 0..<3 { #expect(try await dispatcher.dispatch(request(server)).status == .ok) }
    let report = try #require(await reports.wait { !$0.isEmpty }.first)
    #expect(try await server.certificates.pin(.good) == report.seen)
    #expect(!report.wasRefused)
    dispatcher.networkDidChange()
    #expect(try await dispatcher.dispatch(request(server)).status == .ok)
    #expect(try await reports.wait { $0.count >= 2 }.count == 2)

    let (content, silence) = try pinned(
      server, to: [try await server.certificates.pin(.good), Self.other], isEnforced: false)
    #expect(try await content.dispatch(request(server)).status == .ok)
    #expect(silence.value.isEmpty)
  }

  @Test("E4: A pin does not replace the verification of the certificate")
  func verificationStaysOn() async throws {
    let server = try await NginxServer()
    let faults: [(CertificateSet.Kind, NetworkError.TLSFault)] = [
      (.expired, .expired), (.wrongName, .nameMismatch), (.selfSigned, .untrusted),
    ]
    for (kind, fault) in faults {
      let (dispatcher, _) = try pinned(server, to: [try await server.certificates.pin(kind), Self.spare])
      let request = request(server, kind)
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
      #expect(error?.kind == .tls(fault), "\(kind)")
    }
  }

  @Test("Pins do not apply to other hosts")
  func otherHost() async throws {
    let server = try await NginxServer()
    let (dispatcher, reports) = try pinned(server, to: [Self.spare, Self.other], host: CertificateSet.name)
    #expect(try await dispatcher.dispatch(request(server)).status == .ok)
    #expect(reports.value.isEmpty)
    // And the pinned name is, at whatever address.
    var named = Request(authority: "\(CertificateSet.name.uppercased()):4433", path: "/echo")
    named.context.connectTarget = ConnectTarget(address: "127.0.0.1", port: server.tlsPort())
    let error = await failure { [named] () throws(NetworkError) in try await dispatcher.dispatch(named) }
    #expect(error?.kind == .tls(.pinMismatch))
  }
}
