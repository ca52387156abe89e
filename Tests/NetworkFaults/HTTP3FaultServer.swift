#if os(Linux)
import CommandRunning
import Foundation
public import LoopbackServing

/// A server that advertises HTTP/3, behind a delay line; HTTP/2 over TCP is sound, and HTTP/3 has a fault.
///
/// It runs on aioquic and h2, implementations that are not our own, and logs each request before it responds.
public final class HTTP3FaultServer: Sendable {
  /// What is wrong with the server's HTTP/3.
  public enum Fault: String, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// It does not respond to datagrams.
    case silent
    /// The handshake ends after the server's first message.
    case stall
    /// It speaks no version of QUIC that the client speaks.
    case version
    /// Its certificate is self-signed, only over HTTP/3.
    case certificate
    /// A response ends after 64 KiB by a stateless reset, and that to `/lost` before it begins.
    case reset
    /// GOAWAY follows the first request of the first connection, which refuses later ones.
    case goaway
  }

  /// A request that the server has received.
  public struct Received: Sendable, Hashable {
    /// `h2` or `h3`.
    public let version: Substring
    /// The method.
    public let method: Substring
    /// The path.
    public let path: Substring
    /// The number of bytes of the content; nil if the server refused the request before it processed it.
    public let length: Int?
  }

  /// The number of the address that the server is reached at.
  public static let host = 2

  /// Where `Scripts/install-dependencies --http3` puts aioquic, h2, and what they need.
  private static let packages = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: ".build/http3-servers/packages").path

  /// Whether it can be started; always true in CI, where a missing part is a failure.
  public static func isAvailable() async -> Bool {
    if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    guard FileManager.default.fileExists(atPath: "\(packages)/aioquic") else { return false }
    return await DelayLine.isAvailable()
  }

  /// The line to the server.
  public let line: DelayLine
  private let folder: TemporaryFolder

  /// Starts a server, with a fault of HTTP/3 and the certificate that it has over TCP.
  ///
  /// Packets take 20 ms to it and back, so that the order of what is sent is the same on each machine.
  public init(_ fault: Fault = .none, certificate: CertificateSet.Kind = .good) async throws {
    let folder = try TemporaryFolder(prefix: "http3")
    self.folder = folder
    let files = ["fault", "log"].map { folder.url.appending(path: $0).path }
    try Data(fault.rawValue.utf8).write(to: URL(filePath: files[0]))
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "http3-fault-server.py").path
    line = try await DelayLine { certificates in
      [HTTPBinServer.python, script, Self.packages] + files
        + [certificate, .good, .selfSigned].flatMap {
          [certificates.certificate($0), certificates.key($0)]
        }
    }
    try await restore()
  }

  /// Ends the faults of the network.
  public func restore() async throws {
    try await line.restore(Self.host)
    try await line.delay(Self.host, milliseconds: 20)
  }

  /// The host name and port of its URLs.
  public var authority: String { "\(CertificateSet.name):\(DelayLine.port)" }

  /// The address that the name has.
  public var address: String { line.numericAddress(Self.host) }

  /// Sets the fault, for new datagrams and requests.
  public func set(_ fault: Fault) throws {
    try Data(fault.rawValue.utf8).write(to: folder.url.appending(path: "fault"), options: .atomic)
  }

  /// The requests that it has received, in their order.
  public var received: [Received] {
    get throws {
      try String(contentsOf: folder.url.appending(path: "log"), encoding: .utf8).split(separator: "\n").map {
        let words = $0.split(separator: " ")
        return Received(version: words[0], method: words[1], path: words[2], length: Int(words[3]))
      }
    }
  }
}
#endif
