import Foundation
import Glibc

/// The server for every wire figure without HTTP/3: one nginx process with files of 1 KiB to 1 GiB, and a
/// document that it has as gzip as well, over plain HTTP/1.1 and over HTTP/2 with TLS.
final class Nginx {
  let plainPort: UInt16
  let tlsPort: UInt16
  /// The port of every loopback address, each of which is an origin.
  let growthPort: UInt16
  let authorities: String
  private let process: Process

  /// Writes all files into `folder`, starts the server and waits until it listens.
  init(in folder: URL) throws {
    guard let nginx = Program.find("nginx") else { throw Trouble("nginx is not installed") }
    guard let openssl = Program.find("openssl") else { throw Trouble("openssl is not installed") }
    try Self.makeFiles(in: folder.appendingPathComponent("root"))
    authorities = folder.appendingPathComponent("certificate.pem").path
    _ = try Program(
      path: openssl,
      arguments: [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout", folder.appendingPathComponent("key.pem").path, "-out", authorities,
      ]
    ).run()
    plainPort = try Self.freePort()
    tlsPort = try Self.freePort()
    growthPort = try Self.freePort()
    let configuration = folder.appendingPathComponent("nginx.conf")
    try Self.configuration(folder.path, plain: plainPort, tls: tlsPort, growth: growthPort)
      .write(to: configuration, atomically: true, encoding: .utf8)
    process = Process()
    process.executableURL = URL(fileURLWithPath: nginx)
    process.arguments = ["-p", folder.path, "-c", configuration.path, "-e", "\(folder.path)/error.log"]
    process.standardInput = FileHandle.nullDevice
    // Not inherited, or a reader of the harness's output would wait for the server to end, too.
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    for port in [plainPort, tlsPort, growthPort] {
      guard Self.waitUntilListening(port, while: { process.isRunning }) else {
        process.terminate()
        let log = (try? String(contentsOfFile: "\(folder.path)/error.log", encoding: .utf8)) ?? ""
        throw Trouble(
          "nginx does not listen: \(log.split(separator: "\n").suffix(3).joined(separator: "; "))")
      }
    }
  }

  /// Stops the server.
  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// Returns whether a port accepts connections within 5 s, while its server runs.
  static func waitUntilListening(_ port: UInt16, while isRunning: () -> Bool) -> Bool {
    for _ in 0..<500 {
      guard isRunning() else { return false }
      if withSocket({ descriptor in withAddress(port) { connect(descriptor, $0, $1) } }) == 0 {
        return true
      }
      usleep(10_000)
    }
    return false
  }

  private static func makeFiles(in root: URL) throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for (name, size) in [("1k", 1 << 10), ("50k", 50 << 10), ("1m", 1 << 20)] {
      try Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(
        to: root.appendingPathComponent(name))
    }
    // Sent as gzip to who accepts it.
    let text = (0..<200).map {
      #"{"id":\#($0),"city":"CITY-\#($0 * 7919 % 97)","price":\#($0 * 4_099 % 900_000)}"# + "\n"
    }
    let document = root.appendingPathComponent("homes.json")
    try Data(text.joined().utf8).write(to: document)
    guard let gzip = Program.find("gzip") else { throw Trouble("gzip is not installed") }
    _ = try Program(path: gzip, arguments: ["--keep", "--force", "-6", document.path]).run()
    let large = root.appendingPathComponent("1g")
    guard FileManager.default.createFile(atPath: large.path, contents: nil),
      truncate(large.path, 1 << 30) == 0
    else { throw Trouble("a file of 1 GiB can't be created in \(root.path)") }
  }

  private static func configuration(
    _ folder: String, plain: UInt16, tls: UInt16, growth: UInt16
  ) -> String {
    """
    daemon off;
    master_process off;
    pid \(folder)/nginx.pid;
    worker_rlimit_nofile 16384;
    events { worker_connections 12000; }
    http {
      access_log off;
      default_type application/octet-stream;
      sendfile on;
      gzip_static on;
      tcp_nodelay on;
      keepalive_requests 100000000;
      keepalive_timeout 300s;
      open_file_cache max=16 inactive=300s;
      client_body_temp_path \(folder)/body;
      proxy_temp_path \(folder)/proxy;
      fastcgi_temp_path \(folder)/fastcgi;
      uwsgi_temp_path \(folder)/uwsgi;
      scgi_temp_path \(folder)/scgi;
      root \(folder)/root;
      server { listen 127.0.0.1:\(plain) backlog=4096; }
      server {
        listen 127.0.0.1:\(tls) ssl http2 backlog=4096;
        ssl_certificate \(folder)/certificate.pem;
        ssl_certificate_key \(folder)/key.pem;
        ssl_protocols TLSv1.2 TLSv1.3;
      }
      server {
        listen \(growth) backlog=4096;
        allow 127.0.0.0/8;
        deny all;
        # A response after 4 s, which keeps its connection until then.
        location /hold {
          auth_basic hold;
          auth_basic_user_file /dev/null;
          auth_delay 4s;
        }
      }
    }

    """
  }

  static func freePort() throws -> UInt16 {
    let port = withSocket { descriptor -> Int32 in
      guard withAddress(0, { bind(descriptor, $0, $1) }) == 0 else { return -1 }
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
      }
      return status == 0 ? Int32(UInt16(bigEndian: address.sin_port)) : -1
    }
    guard let port = UInt16(exactly: port), port > 0 else { throw Trouble("no port is free on 127.0.0.1") }
    return port
  }

  private static func withSocket(_ work: (Int32) -> Int32) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return -1 }
    defer { close(descriptor) }
    return work(descriptor)
  }

  private static func withAddress(
    _ port: UInt16, _ work: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        work($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
