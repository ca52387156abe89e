import Foundation
import Synchronization

/// A server that records the bytes of every request and responds with 200.
///
/// It parses just enough HTTP/1.1 to find the end of a request.
final class CaptureServer: Sendable {
  /// A request as received.
  struct Captured: Sendable, Equatable {
    let requestLine: [UInt8]
    /// The field lines, in order.
    let fieldLines: [[UInt8]]
    let body: [UInt8]
  }

  struct Failure: Error {}

  let port: UInt16
  private let listener: Int32
  private let captured = Mutex<[Captured]>([])

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (listener, length) = (listener, size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, pointer, &size) == 0
      }
    }
    guard listener >= 0, isBound else { throw Failure() }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in serve() }
  }

  /// Stops the server; its thread ends.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Returns the requests received since the previous call.
  func take() -> [Captured] {
    captured.withLock { captured in
      defer { captured = [] }
      return captured
    }
  }

  private func serve() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      if let request = Self.read(from: connection) { captured.withLock { $0.append(request) } }
      let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
      _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
      close(connection)
    }
    close(listener)
  }

  private static func read(from connection: Int32) -> Captured? {
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    var head: Range<Int>?
    var wanted = Int.max
    while bytes.count < wanted {
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
      guard head == nil, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
      head = end
      let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
      let length = lines.firstRange(of: "\r\ncontent-length:").map {
        lines[$0.upperBound...].prefix { $0 != "\r\n" }
      }
      wanted = end.upperBound + (length.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
    }
    guard let head else { return nil }
    let lines = bytes[..<head.lowerBound].split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    )
    .map { line in Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line) }
    return Captured(
      requestLine: lines.first ?? [], fieldLines: Array(lines.dropFirst()),
      body: Array(bytes[head.upperBound...]))
  }
}
