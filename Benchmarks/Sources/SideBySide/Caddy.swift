import Foundation
import Glibc

/// Caddy, which serves nginx's files with nginx's certificate over HTTP/2 and HTTP/3.
///
/// It listens on 127.0.0.1, or in a network namespace behind a line that delays and loses packets.
final class Caddy {
  /// What happens to the packets of TCP and UDP between a program and the server.
  struct Line {
    /// The round trip in seconds.
    let roundTrip: Double
    /// The share of packets that are lost in each direction.
    let loss: Double
  }

  /// The port and the last number of the server's address behind a line.
  private static let (farPort, farHost) = (UInt16(8_443), 2)

  private let port: UInt16
  private let authorities: String
  private let log: URL
  /// Where a line, which has no log, writes why it failed.
  private let errors: URL
  private let isFar: Bool
  /// The address behind a line; nil on 127.0.0.1, and before the line has named its network.
  private var address: String?
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  /// Starts the server, and waits until it listens.
  ///
  /// - Parameters:
  ///   - folder: The folder of nginx's files and certificate.
  ///   - line: The line before the server; nil for none.
  init(_ programs: Programs, in folder: URL, behind line: Line? = nil) throws {
    guard let program = programs.caddy else {
      throw Trouble("Caddy is not installed; run Scripts/install-dependencies --http3")
    }
    isFar = line != nil
    let name = isFar ? "far-caddy" : "caddy"
    log = folder.appendingPathComponent("\(name).log")
    errors = folder.appendingPathComponent("\(name).errors")
    authorities = folder.appendingPathComponent("certificate.pem").path
    port = try isFar ? Self.farPort : Nginx.freePort()
    let file = folder.appendingPathComponent("\(name).json")
    let configuration = Self.configuration(
      folder.path, name: name, listen: isFar ? ":\(port)" : "127.0.0.1:\(port)")
    try JSONSerialization.data(withJSONObject: configuration).write(to: file)
    try start(
      ["/bin/sh", "-c", Self.script, "sh", program, file.path, log.path, isFar ? "reno" : ""], programs, line
    )
  }

  /// Ends the server, and the line with it.
  deinit {
    guard process.isRunning else { return }
    // A line removes its namespace when its input ends.
    if isFar { try? input.fileHandleForWriting.close() } else { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Returns the options of a program that requests a file.
  func url(_ file: String) -> [String] {
    let host = isFar ? "localhost" : "127.0.0.1"
    return ["--url", "https://\(host):\(port)/\(file)", "--authorities", authorities]
      + (address.map { ["--address", $0] } ?? [])
  }

  // MARK: Starting

  /// Runs Caddy, and prints a line once it has opened its sockets, which it has 20 s for.
  ///
  /// In a namespace of its own TCP has the congestion control that Caddy's QUIC has, Reno: where lost packets
  /// decide, another one would be compared instead of HTTP/2.
  private static let script = """
    : >"$3"
    [ -z "$4" ] || echo "$4" >/proc/sys/net/ipv4/tcp_congestion_control
    (for _ in $(seq 400); do
      grep -q "serving initial configuration" "$3" && echo listening && exit
      sleep 0.05
    done) &
    exec "$1" run --config "$2" 2>"$3"
    """

  private func start(_ command: [String], _ programs: Programs, _ line: Line?) throws {
    var words = command
    if line != nil {
      guard let delayLine = programs.delayLine else { throw Trouble("--delay-line is not given") }
      words = ["/usr/bin/env", "python3", delayLine] + command
    }
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardInput = input
    process.standardOutput = output
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    guard let line else {
      try expect("listening")
      return
    }
    guard let network = try expect("ready").last else { throw Trouble("the line has no network") }
    for command in ["delay \(Self.farHost) all \(line.roundTrip)", "lose \(Self.farHost) all \(line.loss)"] {
      try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
      try expect("done")
    }
    address = "\(network).\(Self.farHost)"
  }

  /// Reads a line of the program, and returns its words.
  @discardableResult
  private func expect(_ word: String) throws -> [Substring] {
    var line = Data()
    // Python may write a line and its end apart.
    while line.last != UInt8(ascii: "\n"), case let part = output.fileHandleForReading.availableData,
      !part.isEmpty
    {
      line += part
    }
    let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.first.map(String.init) == word else {
      let lines = [errors, log].lazy.compactMap {
        (try? String(contentsOf: $0, encoding: .utf8))?.split(separator: "\n").last
      }
      throw Trouble("Caddy did not start: \(lines.first ?? "no reason was given")")
    }
    return words
  }

  private static func configuration(_ folder: String, name: String, listen: String) -> [String: Any] {
    let certificate =
      [
        "certificate": "\(folder)/certificate.pem", "key": "\(folder)/key.pem", "tags": ["own"],
      ] as [String: Any]
    let server: [String: Any] = [
      "listen": [listen], "protocols": ["h1", "h2", "h3"], "automatic_https": ["disable": true],
      "tls_connection_policies": [["certificate_selection": ["any_tag": ["own"]]]],
      "routes": [["handle": [["handler": "file_server", "root": "\(folder)/root"]]]],
    ]
    return [
      "admin": ["disabled": true, "config": ["persist": false]],
      "storage": ["module": "file_system", "root": "\(folder)/\(name)-storage"],
      "apps": ["http": ["servers": ["all": server]], "tls": ["certificates": ["load_files": [certificate]]]],
    ]
  }
}
