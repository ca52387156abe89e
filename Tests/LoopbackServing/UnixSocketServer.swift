import Foundation

/// A server in Python on a Unix domain socket, which answers each request with its line and its Host field.
///
/// Releasing the server ends it, as does the end of the test process.
public final class UnixSocketServer: Sendable {
  private static let program = """
    import http.server, socketserver, sys

    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = "HTTP/1.1"

      def do_GET(self):
        length = int(self.headers.get("Content-Length", 0))
        sent = self.rfile.read(length).decode()
        body = f"{self.command} {self.path} {self.headers['Host']} {sent}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

      do_POST = do_GET

      def address_string(self):
        return "socket"

      def log_message(self, *words):
        pass

    class Server(socketserver.ThreadingUnixStreamServer):
      daemon_threads = True
      request_queue_size = 64

    with Server(sys.argv[1], Handler) as server:
      open(sys.argv[1] + ".ready", "w").close()
      server.serve_forever()
    """

  /// The path of the socket.
  public let path: String
  private let folder: URL
  private let process: ServerProcess

  /// Starts a server and waits until it listens.
  public init() async throws {
    // Not in the folder for temporary files, whose path may be longer than that of a socket may be.
    folder = URL(filePath: "/tmp/switchyard-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "http.socket").path
    process = try ServerProcess(
      program: HTTPBinServer.python, arguments: ["-c", Self.program, path],
      log: folder.appending(path: "messages"), takesErrors: true)
    try await process.waitUntilReady(ports: [], file: URL(filePath: path + ".ready"))
  }

  deinit {
    process.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
