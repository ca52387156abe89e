import Foundation

/// A TLS server in Python that accepts HTTP/2, and then requires HTTP/1.1, over which it sends content back.
///
/// Releasing the server ends it, as does the end of the test process.
public final class OlderVersionServer: Sendable {
  private static let program = """
    import os, socket, ssl, sys, threading

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(["h2", "http/1.1"])

    def head_of_request(stream):
      stream.read(24)
      while True:
        frame = stream.read(9)
        stream.read(int.from_bytes(frame[:3], "big"))
        if frame[3] == 1:
          return frame[5:9]

    def serve(connection):
      try:
        connection = context.wrap_socket(connection, server_side=True)
        stream = connection.makefile("rb")
        if connection.selected_alpn_protocol() == "h2":
          number = head_of_request(stream)
          settings, acknowledgement = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]), bytes([0, 0, 0, 4, 1, 0, 0, 0, 0])
          reset = bytes([0, 0, 4, 3, 0]) + number + bytes([0, 0, 0, 13])
          connection.sendall(settings + acknowledgement + reset)
          # Until the client closes the connection.
          while stream.read(1):
            pass
          return
        length = 0
        while (line := stream.readline()) not in (b"\\r\\n", b""):
          if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
        content = stream.read(length)
        connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n" % length + content)
        stream.read(1)
      except (OSError, ssl.SSLError, IndexError):
        pass

    with socket.create_server(("127.0.0.1", 0)) as server:
      with open(sys.argv[3] + ".part", "w") as file:
        file.write(str(server.getsockname()[1]))
      os.rename(sys.argv[3] + ".part", sys.argv[3])
      while True:
        threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
    """

  /// The port that the server listens on.
  public let port: Int
  /// The file of the authority of its certificate.
  public let authorityFile: String
  private let folder: URL
  private let process: ServerProcess

  /// Starts a server, and waits until it listens.
  public init() async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "older-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let certificates = try await CertificateSet(in: folder)
    authorityFile = certificates.authorityFile
    let file = folder.appending(path: "port")
    process = try ServerProcess(
      program: HTTPBinServer.python,
      arguments: ["-c", Self.program, certificates.certificate(.good), certificates.key(.good), file.path],
      log: folder.appending(path: "messages"), takesErrors: true)
    try await process.waitUntilReady(ports: [], file: file)
    guard let port = Int(try String(contentsOf: file, encoding: .utf8)) else {
      throw LoopbackError(sentence: "the server that requires HTTP/1.1 named no port")
    }
    self.port = port
  }

  deinit {
    process.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
