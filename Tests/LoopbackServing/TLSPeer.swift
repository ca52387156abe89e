import CommandRunning
import Foundation

/// A TLS server whose every decrypted byte a test writes itself: the `openssl s_server` program.
///
/// It serves one connection after another, and what it reads of all of them is one row of bytes. It suits
/// peers that break the rules of HTTP/2, or speak versions of TLS that no other server still offers. Letting
/// go of it ends it.
public final class TLSPeer: Sendable {
  private static let program = "/usr/bin/openssl"

  /// The port it listens on.
  public let port: Int
  /// What clients have sent so far, over all connections.
  public let received = Watched<[UInt8]>([])
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts a server with the good one of `certificates`, and waits until it listens.
  ///
  /// - Parameter arguments: More arguments of `openssl s_server`, such as `-alpn h2`.
  public init(_ certificates: CertificateSet, _ arguments: [String]) async throws {
    port = try LoopbackSocket.freePort()
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments =
      [
        "s_server", "-accept", "127.0.0.1:\(port)", "-quiet", "-cert", certificates.certificate(.good),
        "-key", certificates.key(.good),
      ] + arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let (reading, received) = (output.fileHandleForReading, received)
    Thread.detachNewThread {
      while case let data = reading.availableData, !data.isEmpty { received.update { $0 += data } }
    }
    let process = process
    guard try await LoopbackSocket.isListening(port, while: { process.isRunning }) else {
      throw LoopbackError(sentence: "openssl s_server did not listen on port \(port)")
    }
  }

  deinit { stop() }

  /// Ends the server; an open connection breaks off.
  public func stop() {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Whether OpenSSL's own client, with these arguments, gets through the handshake.
  public func accepts(_ arguments: [String]) async throws -> Bool {
    let client = Command(words: [Self.program, "s_client", "-connect", "127.0.0.1:\(port)"] + arguments)
    return try await client.run().status == 0
  }

  /// Sends bytes over the connection at hand; without one they may be lost.
  public func send(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

  /// Sends frames.
  public func send(_ frames: HTTP2Frame...) throws { try send(frames.flatMap(\.bytes)) }

  /// Returns the number of the connection once a client has sent the head of its `count`-th request.
  @discardableResult
  public func waitForRequest(_ count: Int = 1) async -> (connection: Int, stream: UInt32)? {
    let bytes = await received.wait { Self.requests($0).count >= count }
    return Self.requests(bytes).dropFirst(count - 1).first
  }

  /// How many connections began with HTTP/2's preface.
  public var connections: Int { HTTP2Frame.parse(received.value).last?.connection ?? 0 }

  private static func requests(_ bytes: [UInt8]) -> [(connection: Int, stream: UInt32)] {
    HTTP2Frame.parse(bytes).filter { $0.frame.type == 1 }.map { ($0.connection, $0.frame.stream) }
  }
}
