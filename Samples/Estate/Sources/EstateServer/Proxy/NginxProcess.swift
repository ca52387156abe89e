import FlyingSocks
import Foundation

/// A running nginx that ends with this process at the latest.
///
/// A shell between the two starts nginx and reads from a pipe that this process holds open. When the pipe
/// closes, because of ``stop()`` or because this process was killed, the shell tells nginx to finish its
/// requests and quit.
final class NginxProcess: Sendable {
  /// The lines that nginx writes; they end when nginx has ended.
  let lines: AsyncStream<String>
  private let lifeline = Pipe()
  private let ended: Task<Void, Never>

  // Foundation passes only the standard descriptors on, so the listening socket travels as standard output
  // and becomes descriptor 3. The shell keeps neither it, because connections would outlive nginx in its
  // backlog, nor the pipe of nginx's messages, because its end means that nginx has ended. It does not wait
  // for nginx: the threads of the concurrency pool block SIGCHLD, the shell inherits that, and would wait
  // forever.
  private static let script = """
    "$@" 3<&1 >/dev/null </dev/null &
    exec >&- 2>&-
    read -r _
    kill -QUIT $!
    """

  /// Starts nginx with the `nginx.conf` of a folder; it accepts the connections of the socket.
  init(_ program: NginxProgram, folder: URL, socket: ListeningSocket) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", Self.script, "nginx", program.executable.path, "-p", folder.path + "/", "-e", "stderr", "-c",
      NginxConfiguration.fileName,
    ]
    // The variable by which nginx hands its sockets to its successor when it is upgraded.
    process.environment = ProcessInfo.processInfo.environment.merging(["NGINX": "3;"]) { $1 }
    process.standardInput = lifeline
    process.standardOutput = socket.handle
    let errors = Pipe()
    process.standardError = errors
    let (lines, feed) = AsyncStream.makeStream(of: String.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    try process.run()
    self.lines = lines
    ended = Task { for await _ in ends {} }
    Thread.detachNewThread {
      var rest = Data()
      while case let part = errors.fileHandleForReading.availableData, !part.isEmpty {
        rest += part
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          feed.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      feed.finish()
      end.finish()
    }
  }

  /// Returns when nginx answers at a port of an address; throws if it ends before.
  func waitUntilAnswering(_ address: String, _ port: UInt16) async throws {
    let connection = try await AsyncSocket.connected(to: .inet(ip4: address, port: port))
    defer { try? connection.close() }
    // The kernel accepts connections before nginx runs, so only an answer counts. To a request without TLS
    // nginx answers 400.
    try await connection.write(Data("GET / HTTP/1.0\r\n\r\n".utf8))
    _ = try await connection.read(atMost: 1)
  }

  /// Begins to stop: nginx accepts no more connections, and ends when the requests in flight have ended, at
  /// most 5 s later.
  func beginStopping() { try? lifeline.fileHandleForWriting.close() }

  /// Stops, and returns when nginx has ended.
  func stop() async {
    beginStopping()
    await ended.value
  }
}
