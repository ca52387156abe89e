public import Foundation

/// Debian's nginx on the loopback network: HTTP/1.1 and HTTP/2, each over TLS and without it.
///
/// It serves the given files under their names, stores the content of PUT requests under `/store/`, and
/// responds to `/echo` with one line each for the protocol, SNI, `Host`, the request target, and the number
/// of the request on its connection. Releasing the server ends it, as does the end of the test process.
public final class NginxServer: Sendable {
  /// Whether the program is installed.
  public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// Whether a suite that needs nginx should run: without nginx the suite is skipped, except in CI, where it
  /// fails.
  public static var runsSuites: Bool { isInstalled || ProcessInfo.processInfo.environment["CI"] == "true" }

  private static let program = "/usr/sbin/nginx"

  /// The port without TLS.
  public let port: Int
  /// The port that speaks HTTP/2 without TLS, and nothing else.
  public let http2Port: Int
  private let tlsPorts: [CertificateSet.Kind: Int]
  /// The certificates of its TLS ports and their authority.
  public let certificates: CertificateSet
  private let folder: URL
  private let process: ServerProcess

  /// Returns the port that presents a certificate.
  public func tlsPort(_ kind: CertificateSet.Kind = .good) -> Int { tlsPorts[kind] ?? 0 }

  /// Starts a server and waits until it accepts connections.
  ///
  /// - Parameters:
  ///   - files: The contents by file name.
  ///   - hasHTTP2: Whether the TLS ports offer HTTP/2 in addition to HTTP/1.1.
  ///   - tlsVersions: The versions of TLS, in nginx's syntax.
  ///   - locations: Additional locations, in nginx's syntax.
  ///   - tlsSettings: Returns additional settings of the TLS ports, in nginx's syntax.
  public init(
    files: [String: [UInt8]] = [:], hasHTTP2: Bool = true, tlsVersions: String = "TLSv1.2 TLSv1.3",
    locations: String = "", tlsSettings: (CertificateSet) async throws -> String = { _ in "" }
  ) async throws {
    guard Self.isInstalled else {
      throw LoopbackError(sentence: "\(Self.program) is missing; install nginx")
    }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("nginx-\(UUID().uuidString)")
    for name in ["root/store", "temp"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    for (name, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent("root/\(name)")) }
    certificates = try await CertificateSet(in: folder)
    let kinds = CertificateSet.Kind.allCases
    let ports = try LoopbackSocket.freePorts(kinds.count + 2)
    port = ports[0]
    http2Port = ports[1]
    tlsPorts = Dictionary(uniqueKeysWithValues: zip(kinds, ports.dropFirst(2)))
    let configuration = NginxConfiguration(
      folder: folder.path, port: port, http2Port: http2Port, tlsPorts: tlsPorts, certificates: certificates,
      hasHTTP2: hasHTTP2,
      tlsVersions: tlsVersions, additionalLocations: locations,
      tlsSettings: try await tlsSettings(certificates))
    try Data(configuration.text.utf8).write(to: folder.appendingPathComponent("nginx.conf"))
    process = try ServerProcess(
      program: Self.program, arguments: ["-p", folder.path, "-e", "error.log", "-c", "nginx.conf"],
      log: folder.appendingPathComponent("error.log"))
    try await process.waitUntilReady(
      ports: [port, http2Port] + tlsPorts.values, file: folder.appendingPathComponent("nginx.pid"))
  }

  deinit {
    process.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Returns the bytes that were stored under `/store/`; nil if there are none.
  public func stored(_ name: String) -> Data? {
    try? Data(contentsOf: folder.appendingPathComponent("root/store/\(name)"))
  }
}
