import FlyingSocks
import Foundation
import HTTPServing

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
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    try process.run()
    lines = errors.fileHandleForReading.lines { end.finish() }
    ended = Task { for await _ in ends {} }
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

  func stop() async {
    beginStopping()
    await ended.value
  }
}

struct NginxProgram {
  let executable: URL

  /// Finds the program on the search path, or in the folders for system programs, which many users' path
  /// lacks.
  init(
    searchPath: String? = ProcessInfo.processInfo.environment["PATH"],
    systemFolders: [String] = ["/usr/local/sbin", "/usr/sbin", "/sbin"]
  ) throws(ProxyError) {
    guard let found = URL(program: "nginx", on: searchPath, or: systemFolders) else { throw .nginxMissing }
    executable = found
  }
}

/// Why there is no proxy in front of the API.
package enum ProxyError: Error, Hashable, CustomStringConvertible {
  case nginxMissing
  /// nginx ended by itself; the output is the end of what it wrote.
  case nginxEnded(output: String)

  package var description: String {
    switch self {
    case .nginxMissing:
      "The program nginx, which terminates TLS and HTTP/2, is neither on PATH nor in /usr/sbin; "
        + "install it (Scripts/install-dependencies, or apt-get install nginx)."
    case .nginxEnded(let output):
      "nginx, which terminates TLS and HTTP/2, ended by itself\(output.isEmpty ? "." : ": \(output)")"
    }
  }
}
