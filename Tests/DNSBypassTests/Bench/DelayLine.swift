#if os(Linux)
import CommandRunning
import Foundation
import Interception
import LoopbackServing
import Synchronization

/// A TLS server in a network namespace, whose addresses can be delayed, dropped and lossy.
///
/// The addresses of a line are 198.18.NUMBER.2 to .9; a number is used once per process.
final class DelayLine: Sendable {
  /// The port of the server.
  static let port = 8_443

  private static let lastNumber = Mutex(UInt8(ProcessInfo.processInfo.processIdentifier % 60) * 4)

  /// The certificate of the server's name, and its authority.
  let certificates: CertificateSet
  private let folder: TemporaryFolder
  private let number: UInt8
  private let process = Process()
  private let commands = Pipe()
  private let output = Pipe()
  private let lines: AsyncStream<String>

  /// Whether namespaces and tunnels can be made; always true in CI, where their absence is a failure.
  static func isAvailable() async -> Bool {
    if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    let script = "ip tuntap add swtest mode tun && python3 --version && openssl version"
    return (try? await Command("unshare", "-n", "sh", "-c", script).run().status) == 0
  }

  /// Starts the server and the line, whose addresses respond at once.
  init() async throws {
    folder = try TemporaryFolder(prefix: "delay-line")
    certificates = try await CertificateSet(in: folder.url)
    number = Self.lastNumber.withLock { number in
      number += 1
      return number
    }
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "delay-line.py").path
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", script, "\(number)", certificates.certificate(.good), certificates.key(.good),
    ]
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
    try await expect("ready")
  }

  // The end of its input makes the program remove everything.
  deinit { try? commands.fileHandleForWriting.close() }

  /// Returns an address of the server, with its port.
  func address(_ host: Int) -> String { "198.18.\(number).\(host):\(Self.port)" }

  /// Sets the round trip of an address, from now on.
  func delay(_ host: Int, milliseconds: Int) async throws {
    try await execute("delay \(host) \(Double(milliseconds) / 1_000)")
  }

  /// Drops all packets of an address.
  func drop(_ host: Int) async throws { try await execute("drop \(host)") }

  /// Loses a share of the packets of an address.
  func lose(_ host: Int, share: Double) async throws { try await execute("lose \(host) \(share)") }

  private func execute(_ command: String) async throws {
    try commands.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    try await expect("done")
  }

  private func expect(_ line: String) async throws {
    let received = await lines.first { _ in true }
    guard received == line else { throw BenchError(text: received ?? "it has ended") }
  }

  private struct BenchError: Error, CustomStringConvertible {
    let text: String
    var description: String { "delay-line.py failed: \(text)" }
  }
}
#endif
