/// An HTTP/2 frame (RFC 9113, section 4), for peers that misbehave.
public struct HTTP2Frame: Sendable, Hashable {
  /// The type of the frame; any byte, known or not.
  public var type: UInt8
  /// The flags.
  public var flags: UInt8
  /// The stream identifier; 0 is the connection.
  public var stream: UInt32
  /// The payload after the nine bytes of the frame header.
  public var payload: [UInt8]

  /// The connection preface of a client.
  public static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  /// Creates a frame.
  public init(type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) {
    self.type = type
    self.flags = flags
    self.stream = stream
    self.payload = payload
  }

  /// Empty settings.
  public static let settings = HTTP2Frame(type: 4)
  /// The acknowledgement of the peer's settings.
  public static let settingsAcknowledged = HTTP2Frame(type: 4, flags: 1)

  /// Returns the head of a response, with an optional content length.
  public static func head(
    stream: UInt32, status: Int = 200, length: Int? = nil, isLast: Bool = false
  ) -> HTTP2Frame {
    // HPACK: entry 8 of the static table is ":status: 200", entry 28 is the name "content-length".
    var block: [UInt8] = status == 200 ? [0x88] : [0x08, 3] + Array("\(status)".utf8)
    if let length {
      let digits = Array("\(length)".utf8)
      block += [0x0F, 0x0D, UInt8(truncatingIfNeeded: digits.count)] + digits
    }
    return HTTP2Frame(type: 1, flags: isLast ? 5 : 4, stream: stream, payload: block)
  }

  /// Returns a part of a response's content.
  public static func data(_ text: String, stream: UInt32, isLast: Bool = false) -> HTTP2Frame {
    HTTP2Frame(type: 0, flags: isLast ? 1 : 0, stream: stream, payload: Array(text.utf8))
  }

  /// Returns an RST_STREAM frame.
  public static func reset(stream: UInt32, code: UInt32) -> HTTP2Frame {
    HTTP2Frame(type: 3, stream: stream, payload: bytes(code))
  }

  /// Returns a GOAWAY frame.
  public static func goAway(last: UInt32, code: UInt32 = 0) -> HTTP2Frame {
    HTTP2Frame(type: 7, payload: bytes(last) + bytes(code))
  }

  /// The encoded frame.
  public var bytes: [UInt8] {
    let length = Self.bytes(UInt32(truncatingIfNeeded: payload.count))
    return Array(length[1...]) + [type, flags] + Self.bytes(stream) + payload
  }

  /// Parses the bytes that a client has sent so far; each preface starts a new connection, numbered from 1.
  public static func parse(_ bytes: [UInt8]) -> [(connection: Int, frame: HTTP2Frame)] {
    var frames: [(Int, HTTP2Frame)] = []
    var rest = bytes[...]
    var connection = 0
    while true {
      if rest.starts(with: preface) {
        connection += 1
        rest = rest.dropFirst(preface.count)
      }
      guard rest.count >= 9 else { return frames }
      let head = Array(rest.prefix(9))
      let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      guard rest.count >= 9 + length else { return frames }
      let stream = head[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
      let payload = Array(rest.dropFirst(9).prefix(length))
      frames.append((connection, HTTP2Frame(type: head[3], flags: head[4], stream: stream, payload: payload)))
      rest = rest.dropFirst(9 + length)
    }
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
