import Foundation
import SwitchyardTesting
import Testing

/// Why a server did not start.
struct ServerFault: Error, CustomStringConvertible {
  let description: String
}

/// A server program, killed when it is released, or when the test process ends.
final class ServerProgram: Sendable {
  private let shell = Process()
  private let lifeline = Pipe()

  /// Starts a program, and waits until it listens on its ports.
  init(_ words: [String], ports: [Int], log: String) async throws {
    // The shell's input is closed when this process ends, in whichever way.
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", #"log=$1; shift; "$@" >"$log" 2>&1 & read -r _; kill -9 $!"#, "sh", log] + words
    shell.standardInput = lifeline
    try shell.run()
    for port in ports {
      try await waitUntil("\(words[0]) listens on port \(port)") {
        guard shell.isRunning else { throw ServerFault(description: "\(words[0]) has ended") }
        return Loopback.isListening(on: port)
      }
    }
  }

  /// Starts a server that answers each request with the bytes of an expression, and closes the connection.
  ///
  /// - Parameter answer: An expression of Python, in which `line` is the first line of the request.
  static func answering(_ answer: String, log: String) async throws -> (server: ServerProgram, url: String) {
    let port = try Loopback.freePorts(1)[0]
    let code = """
      import socket
      server = socket.create_server(("127.0.0.1", \(port)))
      while True:
        connection, _ = server.accept()
        line = connection.recv(9999).split(b"\\r\\n")[0]
        if line: connection.sendall(\(answer))
        connection.close()
      """
    let server = try await ServerProgram(["/usr/bin/python3", "-c", code], ports: [port], log: log)
    return (server, "http://127.0.0.1:\(port)")
  }

  deinit { stop() }

  /// Kills the program, and waits until it is gone.
  func stop() {
    try? lifeline.fileHandleForWriting.close()
    shell.waitUntilExit()
  }
}

/// Ports of the loopback network.
enum Loopback {
  /// Returns ports on which nothing listens.
  static func freePorts(_ count: Int) throws -> [Int] {
    var sockets: [Int32] = []
    defer { for socket in sockets { close(socket) } }
    return try (0..<count).map { _ in
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      sockets.append(descriptor)
      var address = address(of: 0)
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
        }
      }
      guard isBound else { throw ServerFault(description: "no port is free") }
      return Int(UInt16(bigEndian: address.sin_port))
    }
  }

  static func isListening(on port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = address(of: port)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func address(of port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return address
  }
}

/// httpbin of Debian's python3-httpbin.
final class HTTPBin: Sendable {
  private static let module = "/usr/lib/python3/dist-packages/httpbin/__init__.py"
  static var runsSuites: Bool {
    FileManager.default.fileExists(atPath: module) || ProcessInfo.processInfo.environment["CI"] == "true"
  }

  let url: String
  private let folder: ScratchFolder
  private let program: ServerProgram

  init() async throws {
    folder = try ScratchFolder()
    let port = try Loopback.freePorts(1)[0]
    url = "http://127.0.0.1:\(port)"
    // With threads Flask's server speaks HTTP/1.1.
    program = try await ServerProgram(
      ["/usr/bin/python3", "-c", "import httpbin; httpbin.app.run(port=\(port), threaded=True)"],
      ports: [port],
      log: folder.path("log"))
  }
}

/// nginx with a few files, over http and https, which can be killed and started again.
final class Nginx {
  private static let executable = "/usr/sbin/nginx"
  static var runsSuites: Bool {
    FileManager.default.isExecutableFile(atPath: executable)
      || ProcessInfo.processInfo.environment["CI"] == "true"
  }

  let url: String
  let secureURL: String
  /// The certificate of the server, which is its own authority.
  let authority: String
  let folder: ScratchFolder
  /// The Unix domain socket on which it listens, too.
  var socket: String { folder.path("http.sock") }
  private let ports: [Int]
  private var program: ServerProgram?

  /// The content of `/big.bin`, 4 MiB without a period that a part could hide.
  static let big = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }

  init() async throws {
    folder = try ScratchFolder()
    ports = try Loopback.freePorts(2)
    (url, secureURL) = ("http://127.0.0.1:\(ports[0])", "https://localhost:\(ports[1])")
    authority = folder.path("cert.pem")
    try FileManager.default.createDirectory(atPath: folder.path("root"), withIntermediateDirectories: true)
    try folder.write("hello\n", to: "root/hello.txt")
    try Data(Self.big).write(to: URL(filePath: folder.path("root/big.bin")))
    let certificate = try await RunningProgram([
      "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-keyout", folder.path("key.pem"), "-out", authority, "-days", "2", "-subj", "/CN=localhost", "-addext",
      "subjectAltName=DNS:localhost,DNS:api.estate.test",
    ]).outcome()
    guard certificate.status == 0 else { throw ServerFault(description: "openssl: \(certificate)") }
    try folder.write(configuration, to: "nginx.conf")
    try await start()
  }

  func start() async throws {
    // A killed server leaves it behind, and could not listen again.
    try? FileManager.default.removeItem(atPath: socket)
    program = try await ServerProgram(
      [Self.executable, "-p", folder.path, "-e", folder.path("error.log"), "-c", folder.path("nginx.conf")],
      ports: ports, log: folder.path("log"))
  }

  func kill() { program = nil }

  private var configuration: String {
    """
    daemon off; master_process off; pid nginx.pid; worker_processes 1;
    events {}
    http {
      access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi; scgi_temp_path scgi; types { text/plain txt; } gzip on; gzip_min_length 1;
      server {
        listen 127.0.0.1:\(ports[0]); listen unix:\(socket); listen 127.0.0.1:\(ports[1]) ssl http2;
        ssl_certificate cert.pem; ssl_certificate_key key.pem; root root;
        location = /cached.txt { add_header Cache-Control max-age=60; alias root/hello.txt; }
        location = /revalidated.txt { add_header Cache-Control no-cache; alias root/hello.txt; }
        location = /slow.bin { limit_rate 200k; alias root/big.bin; }
        location = /moved { return 302 /hello.txt?token=secret-of-redirect; }
        location = /loop { return 302 /loop; }
        location = /hops { return 302 /hops2; }
        location = /hops2 { return 302 /hops3; }
        location = /hops3 { return 302 /hello.txt; }
        location = /tcp { return 302 http://127.0.0.1:\(ports[0])/hello.txt; }
        location = /away { return 302 ftp://127.0.0.1/; }
        location = /silent { return 444; }
        location = /busy { return 503; }
      }
    }
    """
  }
}
