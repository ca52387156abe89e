import Foundation
import Synchronization

/// Caddy on the loopback network, which speaks HTTP/3 beside HTTP/2 and HTTP/1.1.
///
/// It responds to `/echo` with the protocol of the request, the SNI and the common name of the client's
/// certificate, one per line, and forwards every other request to a server without TLS. It can be killed and
/// started again. Releasing the server ends it, as does the end of the test process.
public final class CaddyServer: Sendable {
  /// Whether the program is installed.
  public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// Whether a suite that needs Caddy should run: without Caddy the suite is skipped, except in CI, where it
  /// fails.
  public static var runsSuites: Bool { isInstalled || ProcessInfo.processInfo.environment["CI"] == "true" }

  // Scripts/install-dependencies puts it beside the build folders.
  private static let program =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path + "/.build/http3-servers/caddy"

  /// The port of TLS over TCP, and of QUIC, which Caddy advertises by `Alt-Svc`.
  public let port: Int
  /// The port of HTTP/2 and HTTP/1.1 whose responses advertise an alternative at another port.
  public let tcpPort: Int
  /// The port that speaks HTTP/3 only.
  public let quicPort: Int
  /// The port that speaks HTTP/2 and HTTP/1.1, at the address ::1 only; nothing listens there unless the
  /// server listens on IPv6.
  public let v6Port: Int
  /// The certificates and their authority.
  public let certificates: CertificateSet
  private let folder: URL
  private let process: Mutex<ServerProcess?>

  /// Starts a server and waits until it accepts connections.
  ///
  /// - Parameters:
  ///   - upstream: The port of the server that requests are forwarded to; 1, where nothing listens, by
  ///     default.
  ///   - certificate: The certificate that it presents.
  ///   - requiresCertificate: Whether clients need a certificate of the authority.
  ///   - advertisement: The `Alt-Svc` of `tcpPort`; by default HTTP/3 at `quicPort`.
  ///   - listensOnV6: Whether the address ::1 is listened to, too, at `port` and `v6Port`, without HTTP/3.
  public init(
    upstream: Int = 1, certificate: CertificateSet.Kind = .good, requiresCertificate: Bool = false,
    advertisement: String? = nil, listensOnV6: Bool = false
  ) async throws {
    guard Self.isInstalled else {
      throw LoopbackError(
        sentence: "\(Self.program) is missing; run Scripts/install-dependencies --http3")
    }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("caddy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificates = try await CertificateSet(in: folder)
    let ports = try LoopbackSocket.freePorts(4)
    (port, tcpPort, quicPort, v6Port) = (ports[0], ports[1], ports[2], ports[3])
    let configuration = CaddyConfiguration(
      folder: folder.path, certificates: certificates, certificate: certificate,
      requiresCertificate: requiresCertificate, upstream: upstream)
    var servers = [
      configuration.server(port, protocols: ["h1", "h2", "h3"]),
      configuration.server(
        tcpPort, protocols: ["h1", "h2"], advertisement: advertisement ?? "h3=\":\(quicPort)\"; ma=3600"),
      configuration.server(quicPort, protocols: ["h3"]),
    ]
    if listensOnV6 {
      servers += [port, v6Port].map { configuration.server($0, at: "[::1]", protocols: ["h1", "h2"]) }
    }
    let file = folder.appendingPathComponent("caddy.json")
    try JSONSerialization.data(withJSONObject: configuration.whole(servers)).write(to: file)
    process = Mutex(nil)
    try await start()
  }

  deinit {
    process.withLock { $0?.stop() }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Kills the program; requests fail until it is started again.
  public func kill() {
    process.withLock { process in
      process?.end()
      process = nil
    }
  }

  /// Starts the program, unless it runs, at the same ports, and waits until it accepts connections.
  public func start() async throws {
    let started = try process.withLock { process -> ServerProcess? in
      guard process == nil else { return nil }
      let file = folder.appendingPathComponent("caddy.json").path
      let program = try ServerProcess(
        program: Self.program, arguments: ["run", "--config", file],
        log: folder.appendingPathComponent("caddy.log"), takesErrors: true)
      process = program
      return program
    }
    try await started?.waitUntilReady(ports: [port, tcpPort], log: "serving initial configuration")
  }
}

/// The parts of Caddy's configuration, which is JSON.
private struct CaddyConfiguration {
  let folder: String
  let certificates: CertificateSet
  let certificate: CertificateSet.Kind
  let requiresCertificate: Bool
  let upstream: Int

  func whole(_ servers: [[String: Any]]) -> [String: Any] {
    let named = servers.enumerated().map { ("server\($0.offset)", $0.element) }
    let files: [String: Any] = [
      "certificate": certificates.certificate(certificate), "key": certificates.key(certificate),
      "tags": ["own"],
    ]
    return [
      "admin": ["disabled": true, "config": ["persist": false]],
      "storage": ["module": "file_system", "root": "\(folder)/storage"],
      "apps": [
        "http": ["servers": Dictionary(uniqueKeysWithValues: named)],
        "tls": ["certificates": ["load_files": [files]]],
      ],
    ]
  }

  func server(
    _ port: Int, at address: String = "127.0.0.1", protocols: [String], advertisement: String? = nil
  ) -> [String: Any] {
    let text =
      "{http.request.proto}\n{http.request.tls.server_name}\n{http.request.tls.client.subject}\n"
    let echo: [String: Any] = [
      "match": [["path": ["/echo"]]], "handle": [["handler": "static_response", "body": text]],
    ]
    let forwarding: [String: Any] = [
      "handle": [
        [
          "handler": "reverse_proxy", "flush_interval": -1,
          "upstreams": [["dial": "127.0.0.1:\(upstream)"]],
        ]
      ]
    ]
    var routes = [echo, forwarding]
    if let advertisement {
      routes.insert(
        ["handle": [["handler": "headers", "response": ["set": ["Alt-Svc": [advertisement]]]]]], at: 0)
    }
    // Presented whatever the client asks for, even if it is for another name.
    var policy: [String: Any] = ["certificate_selection": ["any_tag": ["own"]]]
    if requiresCertificate {
      policy["client_authentication"] = [
        "mode": "require_and_verify",
        "ca": ["provider": "file", "pem_files": [certificates.authorityFile]],
      ]
    }
    return [
      "listen": ["\(address):\(port)"], "protocols": protocols, "automatic_https": ["disable": true],
      // Otherwise a request to an address, which has no SNI, is refused where certificates are required.
      "tls_connection_policies": [policy], "strict_sni_host": false, "routes": routes,
    ]
  }
}
