import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// A browser, as far as the tests need one.
final class PageClient: Sendable {
  struct Failure: Error { let reason: String }

  struct Answer {
    let status: Int
    let fields: [String: String]
    let body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
    var type: String? { fields["content-type"] }
    var json: JSON { get throws { try JSON(body) } }
  }

  let port: UInt16
  let token: String

  init(_ url: String) {
    let parts = url.split(separator: "/")
    port = UInt16(parts[1].split(separator: ":")[1]) ?? 0
    token = String(parts[2])
  }

  func get(_ path: String, fields: [String] = []) async throws -> Answer {
    try await send("GET", path, fields: fields)
  }

  func post(_ path: String) async throws -> Answer {
    try await send("POST", path, fields: ["X-Inspector: 1", "Content-Length: 0"])
  }

  func post(_ path: String, _ body: String, fields: [String] = ["X-Inspector: 1"]) async throws -> Answer {
    try await send("POST", path, fields: fields + ["Content-Length: \(body.utf8.count)"], body: body)
  }

  func send(
    _ method: String, _ path: String, fields: [String] = [], body: String = ""
  ) async throws -> Answer {
    let connection = try connect()
    let host = fields.contains { $0.hasPrefix("Host:") } ? [] : ["Host: 127.0.0.1:\(port)"]
    let lines = ["\(method) /\(token)/\(path) HTTP/1.1"] + host + fields + ["Connection: close", "", ""]
    connection.write(lines.joined(separator: "\r\n") + body)
    let bytes = await Self.offPool { connection.readAll() }
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
      throw Failure(reason: "\(method) \(path): \(bytes.count) bytes without the end of a head")
    }
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    var named: [String: String] = [:]
    for line in head.dropFirst() {
      let halves = line.split(separator: ":", maxSplits: 1)
      named[halves[0].lowercased()] = halves[1].trimmingCharacters(in: .whitespaces)
    }
    return Answer(
      status: Int(head[0].split(separator: " ")[1]) ?? 0, fields: named, body: Array(bytes[end.upperBound...])
    )
  }

  func connect() throws -> PageSocket { try PageSocket(port) }

  /// Opens the stream of events.
  func stream(_ path: String) async throws -> EventReader {
    let connection = try connect()
    connection.write("GET /\(token)/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    return EventReader(connection)
  }

  fileprivate static func offPool<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
  }
}

/// Reads the events of a stream.
final class EventReader: Sendable {
  private let connection: PageSocket
  private let rest = Mutex<[UInt8]>([])

  init(_ connection: PageSocket) { self.connection = connection }

  /// Returns the data of the next event.
  func next() async throws -> JSON {
    let data = await PageClient.offPool { [self] () -> [UInt8]? in
      let mark = Array("\n\n".utf8)
      while true {
        let event = rest.withLock { rest -> [UInt8]? in
          guard let start = rest.firstRange(of: Array("data: ".utf8))?.upperBound,
            let end = rest[start...].firstRange(of: mark)
          else { return nil }
          defer { rest.removeFirst(end.upperBound) }
          return Array(rest[start..<end.lowerBound])
        }
        if let event { return event }
        guard let more = connection.read() else { return nil }
        rest.withLock { $0 += more }
      }
    }
    return try JSON(data ?? [])
  }

  func isEnded() async -> Bool { await PageClient.offPool { [connection] in connection.isEnded() } }
}

/// A connection to the page's server, which blocks at most a minute.
final class PageSocket: Sendable {
  private let descriptor: CInt

  init(_ port: UInt16) throws {
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // All properties are set, so that `deinit` runs, which closes the descriptor.
    guard code == 0 else { throw PageClient.Failure(reason: "connect: error \(errno)") }
  }

  deinit { close(descriptor) }

  func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
  }

  /// Returns what has arrived; nil at the end.
  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  func readAll() -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = read() { bytes += more }
    return bytes
  }

  /// Whether the server closes the connection.
  func isEnded() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 { continue }
      return count == 0 || errno == ECONNRESET
    }
  }
}
