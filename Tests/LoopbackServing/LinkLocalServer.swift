import Foundation

/// A server in Python on a link-local address of this machine, which answers each request with its Host
/// field.
///
/// Releasing the server ends it, as does the end of the test process.
public final class LinkLocalServer: Sendable {
  private static let program = """
    import http.server, os, socket, sys

    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = "HTTP/1.1"

      def do_GET(self):
        body = self.headers["Host"].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

      def log_message(self, *words):
        pass

    class Server(http.server.ThreadingHTTPServer):
      address_family = socket.AF_INET6

      def server_bind(self):
        place = socket.getaddrinfo(sys.argv[1], 0, type=socket.SOCK_STREAM)[0][4]
        self.socket.bind(place)
        self.server_port = self.socket.getsockname()[1]

    with Server(None, Handler) as server:
      with open(sys.argv[2] + ".part", "w") as file:
        file.write(str(server.server_port))
      os.rename(sys.argv[2] + ".part", sys.argv[2])
      server.serve_forever()
    """

  /// The link-local address of an interface, and the interface's name; nil if none has one.
  ///
  /// It is the interface that was created first: other tests create and remove interfaces at the same time.
  public static let place: (address: String, zone: String)? = {
    let table = (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)) ?? ""
    let links = table.split(separator: "\n").compactMap {
      line -> (index: Int, address: String, zone: String)? in
      let parts = line.split(separator: " ")
      guard parts.count == 6, parts[3] == "20", parts[0].count == 32, let index = Int(parts[1], radix: 16)
      else { return nil }
      let digits = Array(parts[0])
      let groups = stride(from: 0, to: 32, by: 4).map { String(digits[$0..<($0 + 4)]) }
      return (index, groups.joined(separator: ":"), String(parts[5]))
    }
    return links.min { $0.index < $1.index }.map { ($0.address, $0.zone) }
  }()

  /// The port that the server listens on.
  public let port: Int
  private let folder: URL
  private let process: ServerProcess

  /// Starts a server on an address with its zone, and waits until it listens.
  public init(_ address: String) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "link-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "port")
    process = try ServerProcess(
      program: HTTPBinServer.python, arguments: ["-c", Self.program, address, file.path],
      log: folder.appending(path: "messages"), takesErrors: true)
    try await process.waitUntilReady(ports: [], file: file)
    guard let port = Int(try String(contentsOf: file, encoding: .utf8)) else {
      throw LoopbackError(sentence: "the server on \(address) named no port")
    }
    self.port = port
  }

  deinit {
    process.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
