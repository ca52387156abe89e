import CommandRunning
import Foundation

/// A TLS server whose decrypted bytes a test writes itself: the `openssl s_server` program.
///
/// It serves one connection after another, and concatenates the bytes that it reads from all of them. It is
/// suitable for peers that violate HTTP/2, or use versions of TLS that no other server supports. Releasing it
/// ends the program.
public final class TLSPeer: Sendable {
  private static let program = "/usr/bin/openssl"

  /// The port that the server listens on.
  public let port: Int
  /// The bytes received so far, from all connections.
  public let received = Watched<[UInt8]>([])
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts a server with the good certificate of a set, and waits until it listens.
  ///
  /// - Parameter arguments: Additional arguments of `openssl s_server`, such as `-alpn h2`.
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

  /// Kills the server; an open connection is broken.
  public func stop() {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Whether OpenSSL's own client, with these arguments, completes the handshake.
  public func accepts(_ arguments: [String]) async throws -> Bool {
    let client = Command(words: [Self.program, "s_client", "-connect", "127.0.0.1:\(port)"] + arguments)
    return try await client.run().status == 0
  }

  /// Sends bytes over the current connection; without one they may be lost.
  public func send(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

  /// Sends frames.
  public func send(_ frames: HTTP2Frame...) throws { try send(frames.flatMap(\.bytes)) }

  /// Returns the connection and stream of the `count`-th request, as soon as its head has arrived.
  @discardableResult
  public func waitForRequest(
    _ count: Int = 1, fileID: String = #fileID, line: Int = #line
  ) async throws -> (connection: Int, stream: UInt32)? {
    let bytes = try await received.wait(fileID: fileID, line: line) { Self.requests($0).count >= count }
    return Self.requests(bytes).dropFirst(count - 1).first
  }

  /// The number of connections that began with the HTTP/2 preface.
  public var connections: Int { HTTP2Frame.parse(received.value).last?.connection ?? 0 }

  private static func requests(_ bytes: [UInt8]) -> [(connection: Int, stream: UInt32)] {
    HTTP2Frame.parse(bytes).filter { $0.frame.type == 1 }.map { ($0.connection, $0.frame.stream) }
  }
}
