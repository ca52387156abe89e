import Interception
import Testing

@testable import CurlTransport

/// A malformed response.
struct HostileAnswer: Sendable, CustomTestStringConvertible {
  /// What the server does after its bytes.
  enum After: Sendable {
    /// It closes the connection.
    case close
    /// It keeps the connection open and sends no more.
    case hold
  }

  let testDescription: String
  let wire: [UInt8]
  let after: After
  let kind: NetworkError.Kind
  /// A part of the error's message.
  let words: String

  init(_ name: String, _ wire: String, _ after: After, _ kind: NetworkError.Kind, says words: String) {
    testDescription = name
    self.wire = Array(wire.utf8)
    self.after = after
    self.kind = kind
    self.words = words
  }

  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  private static func answer(_ fields: String, _ body: String) -> String {
    "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)"
  }

  static let framing: [HostileAnswer] = [
    .init(
      "a body shorter than announced", answer("Content-Length: 9", "half"), .close, .transport,
      says: "before the announced end of the body"),
    .init(
      "a negative length", answer("Content-Length: -5", "hello"), .hold, .protocolViolation,
      says: "Content-Length"),
    .init(
      "a length that is no number", answer("Content-Length: five", "hello"), .hold, .protocolViolation,
      says: "Content-Length"),
    .init(
      "a length with a sign", answer("Content-Length: +5", "hello"), .hold, .protocolViolation,
      says: "Content-Length"),
    .init(
      "a length beyond 63 bits", answer("Content-Length: 99999999999999999999", "hello"), .hold,
      .protocolViolation, says: "Content-Length"),
    .init(
      "two different lengths", answer("Content-Length: 5\r\nContent-Length: 2", "hello"), .hold,
      .protocolViolation, says: "Content-Length"),
    .init(
      "two different lengths in one field", answer("Content-Length: 5, 2", "hello"), .hold,
      .protocolViolation, says: "Content-Length"),
    .init(
      "a compression as a transfer coding",
      answer("Transfer-Encoding: gzip, chunked", "2\r\nhi\r\n0\r\n\r\n"), .hold, .protocolViolation,
      says: "transfer coding"),
    .init(
      "a length and chunks together",
      answer("Content-Length: 5\r\nTransfer-Encoding: chunked", "2\r\nhi\r\n0\r\n\r\n"), .hold,
      .protocolViolation, says: "Transfer-Encoding"),
    .init(
      "chunks and a length together",
      answer("Transfer-Encoding: chunked\r\nContent-Length: 5", "2\r\nhi\r\n0\r\n\r\n"), .hold,
      .protocolViolation, says: "Transfer-Encoding"),
    .init("a chunk size that is no number", chunked + "zz\r\n", .hold, .protocolViolation, says: "chunked"),
    .init("a negative chunk size", chunked + "-5\r\nhello\r\n", .hold, .protocolViolation, says: "chunked"),
    .init(
      "a chunk size beyond 64 bits", chunked + "FFFFFFFFFFFFFFFFF\r\nhello\r\n", .hold, .protocolViolation,
      says: "chunked"),
    .init(
      "a chunk without its line break", chunked + "2\r\nhiX\r\n0\r\n\r\n", .hold, .protocolViolation,
      says: "chunked"),
    .init("an end within a chunk", chunked + "5\r\nhe", .close, .transport, says: "closed the connection"),
    .init(
      "an end between two chunks", chunked + "2\r\nhe\r\n", .close, .transport, says: "closed the connection"),
  ]

  static let heads: [HostileAnswer] = [
    .init("nothing", "", .close, .transport, says: "without an answer"),
    .init(
      "a status line and no more", "HTTP/1.1 200 OK\r\n", .close, .transport, says: "before its answer began"),
    .init(
      "half a head", "HTTP/1.1 200 OK\r\nContent-Length: 5", .close, .transport,
      says: "before its answer began"),
    .init("half a status line", "HTTP/1.", .close, .transport, says: "without an answer"),
    .init("a response of HTTP/0.9", "<html>hello</html>", .close, .protocolViolation, says: "not HTTP"),
    .init(
      "garbage before the status line", "garbage\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", .hold,
      .protocolViolation, says: "not HTTP"),
    .init(
      "a record of TLS", "\u{16}\u{3}\u{1}\u{0}\u{5}hello\r\n", .hold, .protocolViolation, says: "not HTTP"),
    .init("another protocol", "SSH-2.0-OpenSSH_9.2\r\n", .hold, .protocolViolation, says: "not HTTP"),
    .init(
      "a status of two digits", "HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\nok", .hold, .protocolViolation,
      says: "127.0.0.1"),
    .init(
      "a status that is no number", "HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\nok", .hold,
      .protocolViolation, says: "127.0.0.1"),
    .init(
      "a version from the future", "HTTP/7.0 200 OK\r\nContent-Length: 2\r\n\r\nok", .hold,
      .protocolViolation, says: "127.0.0.1"),
    .init(
      "an unrequested upgrade",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n", .close,
      .protocolViolation, says: "status 101"),
    .init(
      "an unrequested upgrade with bytes of the other protocol",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n\0\0\0\u{4}\0\0\0\0\0",
      .hold, .protocolViolation, says: "status 101"),
    .init(
      "an unrequested upgrade without a field",
      "HTTP/1.1 101 \r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      .hold, .protocolViolation, says: "status 101"),
    .init(
      "an unrequested upgrade after an informational response",
      "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n", .hold,
      .protocolViolation, says: "status 101"),
    .init(
      "heads of the 1xx class without end", String(repeating: "HTTP/1.1 103 Early\r\n\r\n", count: 30_000),
      .hold, .protocolViolation, says: "262144 bytes"),
    .init(
      "more header fields than fit",
      "HTTP/1.1 200 OK\r\n" + (0..<40_000).map { "X-\($0): \r\n" }.joined() + "\r\n", .hold,
      .protocolViolation, says: "fewer or shorter ones"),
    .init(
      "the same header field without end",
      "HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 50_000) + "\r\n", .hold,
      .protocolViolation, says: "fewer or shorter ones"),
    .init(
      "a header field folded without end",
      "HTTP/1.1 200 OK\r\nA: b\r\n" + String(repeating: " c\r\n", count: 70_000) + "\r\n", .hold,
      // libcurl newer than 8.14 has a limit of its own, which is smaller.
      .protocolViolation,
      says: LoadedLibrary.loaded().version < LibraryVersion(8, 15) ? "262144 bytes" : "longer than"),
    .init(
      "one header field without end", "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 300_000),
      .hold, .protocolViolation, says: "longer than"),
    .init(
      "trailers without end",
      chunked + "0\r\n" + (0..<40_000).map { "X-\($0): \r\n" }.joined(), .hold, .protocolViolation,
      says: "fewer or shorter ones"),
  ]
}
