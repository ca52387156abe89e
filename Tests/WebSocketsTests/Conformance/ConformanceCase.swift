import Testing

@testable import WebSockets

/// A case of the list by which WebSocket clients are tested: what a server sends, and what the client does.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
  /// How the connection must end.
  enum End: Sendable, Hashable {
    /// The client sends every message back, and the server closes with the code 1000 after the last one.
    case echo
    /// The server's close frame, whose code the client sends back.
    case closed(WebSocketClosure)
    /// The client's close frame, with this code.
    case failed(WebSocketCloseCode)
  }

  /// Where a case is run.
  enum Scope: Sendable, Hashable {
    /// By the reader alone, and over a socket.
    case everywhere
    /// By the reader alone: over a socket it would take long, and show nothing that a smaller one does not.
    case reader
    /// Over a socket alone: it concerns what the reader does not decide.
    case socket
  }

  /// The number in the list, such as "6.4.1".
  let id: String
  /// What the server sends.
  let title: String
  let end: End
  /// Whether the last write must end the connection, although more bytes of the message would follow.
  let isFailFast: Bool
  let scope: Scope
  /// The agreement on permessage-deflate; nil for none.
  let compression: ConformanceCompression?
  /// Makes what is exchanged: some messages are large, so the table does not hold them.
  let exchanges: @Sendable () throws -> [Exchange]

  /// Creates a case of several exchanges.
  init(
    _ id: String, _ title: String, end: End = .echo, isFailFast: Bool = false, scope: Scope = .everywhere,
    compression: ConformanceCompression? = nil, exchanges: @escaping @Sendable () throws -> [Exchange]
  ) {
    self.id = id
    self.title = title
    self.end = end
    self.isFailFast = isFailFast
    self.scope = scope
    self.compression = compression
    self.exchanges = exchanges
  }

  /// Creates a case of one exchange.
  init(
    _ id: String, _ title: String, end: End = .echo, isFailFast: Bool = false, scope: Scope = .everywhere,
    compression: ConformanceCompression? = nil, _ exchange: @autoclosure @escaping @Sendable () -> Exchange
  ) {
    self.init(
      id, title, end: end, isFailFast: isFailFast, scope: scope, compression: compression,
      exchanges: { [exchange()] })
  }

  var testDescription: String { "\(id): \(title)" }
}

/// What a server sends, and what it must receive before it continues.
struct Exchange: Sendable {
  /// What the client sends in response.
  enum Reply: Sendable, Hashable, CustomStringConvertible {
    case text([UInt8])
    case binary([UInt8])
    case pong([UInt8])
    /// A frame that no case expects.
    case other(FrameType)

    /// The message that comes back.
    init(_ message: WebSocketMessage) {
      // Texts are compared by their bytes: strings are equal also where only their normal forms are.
      switch message {
      case .text(let text): self = .text(Array(text.utf8))
      case .binary(let bytes): self = .binary(bytes)
      }
    }

    var isMessage: Bool {
      switch self {
      case .text, .binary: true
      case .pong, .other: false
      }
    }

    var description: String {
      switch self {
      case .text(let bytes): "text of \(bytes.count) bytes: \(bytes.prefix(32))"
      case .binary(let bytes): "\(bytes.count) bytes: \(bytes.prefix(32))"
      case .pong(let bytes): "pong of \(bytes.count) bytes: \(bytes.prefix(32))"
      case .other(let type): "frame of the type \(type)"
      }
    }
  }

  /// How the bytes of frames are divided into writes.
  enum Division: Sendable, Hashable {
    case whole
    case frames
    case octets(Int)
  }

  /// The bytes, of which each element is sent by itself.
  var writes: [[UInt8]]
  var replies: [Reply]

  /// Creates an exchange from the bytes of each write.
  init(writes: [[UInt8]], replies: [Reply] = []) {
    self.writes = writes
    self.replies = replies
  }

  /// Creates an exchange from frames.
  init(_ frames: [ServerFrame], in division: Division = .whole, replies: [Reply] = []) {
    let encoded = frames.map(\.bytes)
    guard division != .frames else {
      self.init(writes: encoded, replies: replies)
      return
    }
    var bytes: [UInt8] = []
    for frame in encoded { bytes += frame }
    let length = if case .octets(let count) = division { count } else { bytes.count }
    let writes = stride(from: 0, to: bytes.count, by: length).map {
      Array(bytes[$0..<min($0 + length, bytes.count)])
    }
    self.init(writes: writes, replies: replies)
  }

  /// Creates an exchange of a message that comes back.
  init(
    isBinary: Bool, _ payload: [UInt8], in division: Division = .whole, fragmentLength: Int = .max,
    reserved: UInt8 = 0, encoded: [UInt8]? = nil
  ) {
    self.init(
      ServerFrame.fragments(
        isBinary: isBinary, encoded ?? payload, of: fragmentLength, reserved: reserved), in: division,
      replies: [isBinary ? .binary(payload) : .text(payload)])
  }
}

extension ServerFrame {
  /// Returns a message in fragments of a length.
  ///
  /// If it is divided and its length is a multiple of theirs, the last fragment is empty.
  static func fragments(
    isBinary: Bool, _ payload: [UInt8], of length: Int, reserved: UInt8 = 0
  ) -> [ServerFrame] {
    let opcode: UInt8 = isBinary ? 2 : 1
    guard payload.count > length else {
      return [ServerFrame(opcode: opcode, reserved: reserved, payload: payload)]
    }
    return stride(from: 0, through: payload.count, by: length).map { start in
      let end = min(start + length, payload.count)
      return ServerFrame(
        opcode: start == 0 ? opcode : 0, isFinal: start + length > payload.count,
        reserved: start == 0 ? reserved : 0, payload: Array(payload[start..<end]))
    }
  }

  /// Returns a payload of a length, whose bytes vary; that of a text is ASCII.
  static func payload(isBinary: Bool, count: Int) -> [UInt8] {
    var bytes: [UInt8] = isBinary ? Array(0...250) : Array(0x20...0x7E)
    while bytes.count < count { bytes += Array(bytes) }
    return Array(bytes.prefix(count))
  }
}
