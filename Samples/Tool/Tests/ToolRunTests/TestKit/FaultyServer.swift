import Foundation

/// A server that fails in a way of its own for each path, and on four further ports by its certificates.
final class FaultyServer {
  /// The authority of the server without TLS, and those of the servers whose certificates are refused.
  let plain: String
  let expired: String
  let otherName: String
  let selfSigned: String
  /// As `expired`, but it answers its first connection only.
  let stalling: String
  /// The file of the authority that issued the certificates, except for the self-signed one.
  let authority: String
  private let folder: ScratchFolder
  private let program: ServerProgram

  init() async throws {
    folder = try ScratchFolder()
    authority = folder.path("ca.pem")
    let script = """
      set -e
      key() { echo "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout $1.key"; }
      openssl req -x509 $(key ca) -out ca.pem -days 30 -subj "/CN=Test authority"
      openssl req -x509 $(key self) -out self.pem -days 30 -subj "/CN=self.test" -addext subjectAltName=DNS:localhost
      issue() {
        openssl req $(key $1) -out $1.csr -subj "/CN=$2"; printf 'subjectAltName=DNS:%s' "$2" > $1.ext
        openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days "$3" -extfile $1.ext -out $1.pem
      }
      issue expired localhost -1
      issue other other.test 30
      """
    let made = try await RunningProgram.shell(script, in: folder)
    guard made.status == 0 else { throw ServerFault(description: "openssl: \(made)") }
    let ports = try Loopback.freePorts(5)
    plain = "127.0.0.1:\(ports[0])"
    (expired, otherName) = ("localhost:\(ports[1])", "localhost:\(ports[2])")
    (selfSigned, stalling) = ("localhost:\(ports[3])", "localhost:\(ports[4])")
    program = try await ServerProgram(
      ["/usr/bin/python3", "-c", Self.code, folder.path] + ports.map(String.init), ports: ports,
      log: folder.path("log"))
  }

  private static let code = #"""
    import os, socket, ssl, struct, sys, threading
    os.chdir(sys.argv[1])
    waiting = threading.Event()
    answers = {
      b"/loop": b"302 Found\r\nLocation: /back?token=secret\r\nContent-Length: 0\r\n\r\n",
      b"/back?token=secret": b"302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n",
      b"/short": b"200 OK\r\nContent-Length: 100\r\n\r\npart",
      b"/reset": b"200 OK\r\nContent-Length: 100\r\n\r\npart",
      b"/login": b"401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"homes\"\r\nContent-Length: 0\r\n\r\n",
      b"/busy": b"429 Too Many Requests\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n",
      b"/gzip": b"200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 17\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\x03garbage",
      b"/fields": b"200 OK\r\n" + b"".join(b"X-%d: %s\r\n" % (i, b"v" * 100) for i in range(3000)) + b"\r\n",
    }
    def handle(connection):
      try:
        path = connection.recv(65536).split(b" ")[1]
        if path == b"/slow": waiting.wait()
        connection.sendall(b"HTTP/1.1 " + answers[path])
        if path == b"/reset":
          # A reset before the acknowledgement of these bytes would discard them (SIOCOUTQ).
          while True:
            pending = struct.unpack("I", __import__("fcntl").ioctl(connection, 0x5411, b"\0" * 4))[0]
            if pending == 0: break
          connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
      finally: connection.close()
    def serve(port, name, stalls):
      server = socket.create_server(("127.0.0.1", port))
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      if name: context.load_cert_chain(name + ".pem", name + ".key")
      def accepted(connection):
        try: handle(context.wrap_socket(connection, server_side=True) if name else connection)
        except Exception: connection.close()
      answered, unanswered = 0, []
      while True:
        connection = server.accept()[0]
        # The probe of the port when the server starts sends nothing.
        if stalls and not connection.recv(1, socket.MSG_PEEK): continue
        if stalls and answered: unanswered.append(connection); continue
        answered += 1
        threading.Thread(target=accepted, args=(connection,), daemon=True).start()
    names = [None, "expired", "other", "self", "expired"]
    for index, name in enumerate(names):
      threading.Thread(target=serve, args=(int(sys.argv[2 + index]), name, index == 4)).start()
    """#
}
