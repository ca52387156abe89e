import CommandRunning
import Foundation

/// A server of DNS over HTTPS in Python, which answers from a table.
///
/// Releasing the server ends it, as does the end of the test process.
public final class HTTPSNameServer: Sendable {
  private static let program = """
    import base64, http.server, ipaddress, json, ssl, sys, urllib.parse

    hosts, services = json.loads(sys.argv[4]), json.loads(sys.argv[6])

    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = "HTTP/1.1"

      def do_GET(self):
        text = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)["dns"][0]
        query = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        labels, place = [], 12
        while query[place]:
          labels.append(query[place + 1:place + 1 + query[place]].decode())
          place += 1 + query[place]
        kind = query[place + 2]
        name = ".".join(labels)
        if kind == 65:
          found = [bytes(each) for each in services.get(name, [])]
        else:
          found = [ipaddress.ip_address(each) for each in hosts.get(name, [])]
          found = [each.packed for each in found if each.version == (4 if kind == 1 else 6)]
        code = 0 if name in hosts or name in services else 3
        body = b"\\0\\0" + bytes([0x81, 0x80 | code, 0, 1, 0, len(found), 0, 0, 0, 0]) + query[12:place + 5]
        for each in found:
          # The name is a pointer to that of the question; it is valid for 60 s.
          body += bytes([0xC0, 12, 0, kind, 0, 1, 0, 0, 0, 60, 0, len(each)]) + each
        with open(sys.argv[5], "a") as log:
          log.write(f"{name} {kind}\\n")
        self.send_response(200)
        self.send_header("Content-Type", "application/dns-message")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

      def log_message(self, *words):
        pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.serve_forever()
    """

  /// The URL of the server, whose certificate is that of `localhost`.
  public let url: String
  private let folder: TemporaryFolder
  private let process: ServerProcess

  /// Starts a server and waits until it accepts connections.
  ///
  /// - Parameters:
  ///   - hosts: The addresses of names; others don't exist.
  ///   - services: The HTTPS records of names, each as its data.
  ///   - certificates: The set whose good certificate it has.
  public init(
    _ hosts: [String: [String]], services: [String: [[UInt8]]] = [:], _ certificates: CertificateSet
  ) async throws {
    folder = try TemporaryFolder(prefix: "names")
    let port = try LoopbackSocket.freePort()
    url = "https://localhost:\(port)/dns-query"
    let table = String(decoding: try JSONEncoder().encode(hosts), as: UTF8.self)
    let records = String(decoding: try JSONEncoder().encode(services), as: UTF8.self)
    process = try ServerProcess(
      program: HTTPBinServer.python,
      arguments: [
        "-c", Self.program, "\(port)", certificates.certificate(.good), certificates.key(.good), table,
        folder.url.appending(path: "questions").path, records,
      ], log: folder.url.appending(path: "messages"), takesErrors: true)
    try await process.waitUntilReady(ports: [port])
  }

  /// The questions so far, each with its name and the number of its type.
  public var questions: [String] {
    let text = try? String(contentsOf: folder.url.appending(path: "questions"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  deinit { process.stop() }
}
