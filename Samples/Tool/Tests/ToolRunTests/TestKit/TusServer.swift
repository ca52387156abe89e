import Foundation

/// A server of tus 1.0.0 in Python, with one upload, which it keeps in a folder.
final class TusServer {
  let url: String
  let folder: ScratchFolder
  private let port: Int
  private var program: ServerProgram?

  /// The bytes that it has stored.
  var stored: [UInt8] { (try? folder.bytes("content")) ?? [] }

  /// Starts a server.
  ///
  /// - Parameter limit: The number of bytes after which it reads no more; nil for none.
  init(stallingAfter limit: Int? = nil) async throws {
    folder = try ScratchFolder()
    port = try Loopback.freePorts(1)[0]
    url = "http://127.0.0.1:\(port)/files/"
    try await start(stallingAfter: limit)
  }

  func start(stallingAfter limit: Int? = nil) async throws {
    program = try await ServerProgram(
      ["/usr/bin/python3", "-c", Self.code, folder.path, "\(port)", "\(limit ?? 1 << 40)"], ports: [port],
      log: folder.path("log"))
  }

  func kill() { program = nil }

  private static let code = """
    import http.server, os, sys, threading
    os.chdir(sys.argv[1])
    limit = int(sys.argv[3])
    class Handler(http.server.BaseHTTPRequestHandler):
      protocol_version = "HTTP/1.1"
      def answer(self, status, *fields):
        self.send_response(status)
        for name, value in (("Tus-Resumable", "1.0.0"), ("Content-Length", "0")) + fields:
          self.send_header(name, value)
        self.end_headers()
      def do_POST(self):
        with open("length", "w") as file: file.write(self.headers["Upload-Length"])
        with open("metadata", "w") as file: file.write(self.headers.get("Upload-Metadata", ""))
        open("content", "wb").close()
        self.answer(201, ("Location", "/files/secret-1"))
      def do_HEAD(self):
        if not os.path.exists("content"): return self.answer(404)
        self.answer(200, ("Upload-Offset", str(os.path.getsize("content"))), ("Upload-Length", open("length").read()),
          ("Cache-Control", "no-store"))
      def do_PATCH(self):
        if int(self.headers["Upload-Offset"]) != os.path.getsize("content"): return self.answer(409)
        left = int(self.headers["Content-Length"])
        with open("content", "ab", buffering=0) as file:
          while left > 0:
            if os.path.getsize("content") >= limit: threading.Event().wait()
            part = self.rfile.read1(min(left, 1 << 16))
            if not part: return
            file.write(part)
            left -= len(part)
        self.answer(204, ("Upload-Offset", str(os.path.getsize("content"))))
      def do_DELETE(self):
        os.remove("content")
        self.answer(204)
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
    """
}
