#if os(Linux)
import CommandRunning
import Foundation
public import LoopbackServing

/// A server in a network namespace, behind a line that delays, drops, refuses and loses packets.
///
/// A process forwards the packets of TCP and UDP between two TUN devices, so the kernel's own TCP, and any
/// implementation of QUIC, meet what the line does. The server has eight addresses, each with a path of its
/// own; at first they allow all packets at once. Which packets a path loses is the same in each run, by
/// their numbers.
///
/// Releasing the line ends the server and removes the namespace, as does the end of the test process.
public final class DelayLine: Sendable {
  /// The packets that a change applies to.
  public enum Packets: String, Sendable {
    /// Those of one protocol.
    case tcp, udp
    /// Those of both, and of ICMP.
    case all
  }

  /// The code of an ICMP message that says why a packet was not delivered (RFC 792, RFC 1812).
  public enum Refusal: Int, Sendable {
    /// No program has the port; also what nftables' `reject` says.
    case port = 3
    /// A firewall forbids it.
    case administration = 13
  }

  /// The port of the server.
  public static let port = 8_443
  /// The last numbers of the server's addresses.
  public static let hosts = 2...9

  /// The certificate of the server's name, and its authority.
  public let certificates: CertificateSet
  private let folder: TemporaryFolder
  private let network: String
  private let process = Process()
  private let commands = Pipe()
  private let output = Pipe()
  private let lines: AsyncStream<String>

  /// Whether namespaces and tunnels can be made; always true in CI, where their absence is a failure.
  public static func isAvailable() async -> Bool {
    if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    let script = "ip tuntap add swtest mode tun && python3 --version && openssl version"
    return (try? await Command("unshare", "-n", "sh", "-c", script).run().status) == 0
  }

  /// Starts a server and the line.
  ///
  /// - Parameter command: Returns the program and its arguments. It listens on ``port`` of all addresses, and
  ///   then prints "listening".
  public init(serving command: (CertificateSet) -> [String]) async throws {
    folder = try TemporaryFolder(prefix: "delay-line")
    certificates = try await CertificateSet(in: folder.url)
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "delay-line.py").path
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script] + command(certificates)
    process.standardInput = commands
    process.standardOutput = output
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    output.fileHandleForReading.readabilityHandler = { handle in
      let data = handle.availableData
      if data.isEmpty {
        handle.readabilityHandler = nil
        continuation.finish()
      }
      // A command's result is written as a whole.
      for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
        continuation.yield(String(line))
      }
    }
    try process.run()
    let words = await lines.first { _ in true }?.split(separator: " ") ?? []
    guard words.count == 2, words[0] == "ready" else { throw BenchError(text: words.joined(separator: " ")) }
    network = String(words[1])
  }

  // The end of its input makes the program remove everything.
  deinit { try? commands.fileHandleForWriting.close() }

  /// Returns an address of the server.
  public func numericAddress(_ host: Int) -> String { "\(network).\(host)" }

  /// Returns an address of the server, with its port.
  public func address(_ host: Int) -> String { "\(numericAddress(host)):\(Self.port)" }

  /// Sets the round trip of an address, from now on, and allows dropped packets again.
  public func delay(_ host: Int, _ packets: Packets = .all, milliseconds: Int) async throws {
    try await execute("delay \(host) \(packets) \(Double(milliseconds) / 1_000)")
  }

  /// Drops packets of an address, as a firewall without an answer.
  public func drop(_ host: Int, _ packets: Packets = .all) async throws {
    try await execute("drop \(host) \(packets)")
  }

  /// Drops packets to an address, and answers each by ICMP.
  public func refuse(_ host: Int, _ packets: Packets, by refusal: Refusal) async throws {
    try await execute("refuse \(host) \(packets) \(refusal.rawValue)")
  }

  /// Loses a share of the packets of an address.
  public func lose(_ host: Int, _ packets: Packets = .all, share: Double) async throws {
    try await execute("lose \(host) \(packets) \(share)")
  }

  /// Limits the bytes per second in each direction; drops packets that would wait half a second.
  public func limit(_ host: Int, _ packets: Packets, bytesPerSecond: Int) async throws {
    try await execute("rate \(host) \(packets) \(bytesPerSecond)")
  }

  /// Drops packets of more bytes, and answers as a router does whose next link takes no longer ones.
  public func limit(_ host: Int, _ packets: Packets = .all, packetLength: Int) async throws {
    try await execute("limit \(host) \(packets) \(packetLength)")
  }

  /// Allows all packets of an address at once, as at the start.
  public func restore(_ host: Int) async throws { try await execute("restore \(host)") }

  /// Returns the number of packets that were sent to an address, also of those that the line has dropped.
  public func count(_ host: Int, _ packets: Packets) async throws -> Int {
    let word = try await execute("count \(host) \(packets)")
    guard let count = word.flatMap({ Int($0) }) else { throw BenchError(text: "no number was printed") }
    return count
  }

  /// Executes a command, and returns what it prints after "done".
  @discardableResult
  private func execute(_ command: String) async throws -> Substring? {
    try commands.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    let received = await lines.first { _ in true } ?? ""
    let words = received.split(separator: " ")
    guard words.first == "done" else { throw BenchError(text: received) }
    return words.dropFirst().first
  }

  private struct BenchError: Error, CustomStringConvertible {
    let text: String
    var description: String {
      "delay-line.py failed: \(text.isEmpty ? "it has ended; see its messages" : text)"
    }
  }
}
#endif
