/// The maximum sizes of what a peer may send.
struct ReadingLimits: Sendable, Hashable {
  /// The maximum number of fragments of a message: empty ones cost time, although no memory.
  ///
  /// It is twice the number of fragments of 64 bytes in 4 MiB, which Autobahn|Testsuite sends in its cases
  /// 9.3.1 and 9.4.1, with an empty one at the end.
  static let fragments = 131_072

  /// The maximum length of a frame's payload.
  var frame = 16 << 20
  /// The maximum length of a message, all fragments together.
  var message = 16 << 20
}

/// Turns the bytes that a server sends into messages and control frames: the pure part of receiving.
///
/// Bytes are given in pieces of any size. A frame that exceeds a limit is refused by its header, before its
/// payload arrives, and a text by its first wrong byte. After a fault the reader must not be used again.
struct MessageReader {
  /// What was received.
  enum Event: Sendable, Hashable {
    case message(WebSocketMessage)
    case ping([UInt8])
    case pong([UInt8])
    case close(WebSocketClosure)
  }

  private enum Position: Sendable {
    case header
    case payload(FrameHeader, remaining: Int)
  }

  private let limits: ReadingLimits
  /// What decompresses messages; nil if no compression was negotiated.
  private let inflater: (any MessageInflating)?
  private var input: [UInt8] = []
  /// The number of bytes of the input that were read.
  private var offset = 0
  private var position = Position.header
  /// The type of the message whose fragments are received; nil between messages.
  private var messageType: FrameType?
  private var isCompressed = false
  private var message: [UInt8] = []
  private var fragments = 0
  private var checker = UTF8Checker()
  private var control: [UInt8] = []

  init(limits: ReadingLimits = ReadingLimits(), inflater: (any MessageInflating)? = nil) {
    (self.limits, self.inflater) = (limits, inflater)
  }

  /// The number of bytes that the reader holds.
  var heldBytes: Int { input.count - offset + message.count + control.count }

  /// Whether a message or a frame has begun and is not complete.
  var isInsideMessage: Bool {
    if case .payload = position { return true }
    return messageType != nil || offset < input.count
  }

  /// Adds received bytes.
  mutating func append(_ bytes: [UInt8]) {
    if offset == input.count { (input, offset) = (bytes, 0) } else { input += bytes }
  }

  /// Returns the next event; nil if more bytes are needed.
  mutating func next() throws(ProtocolFault) -> Event? {
    while true {
      switch position {
      case .header:
        guard
          let (header, size) = try FrameHeader.parse(
            input[offset...], allowsCompression: inflater != nil)
        else {
          compact()
          return nil
        }
        try begin(header)
        offset += size
        position = .payload(header, remaining: header.length)
      case .payload(let header, let remaining):
        let piece = input[offset...].prefix(remaining)
        try take(piece, of: header)
        offset += piece.count
        guard piece.count == remaining else {
          position = .payload(header, remaining: remaining - piece.count)
          compact()
          return nil
        }
        position = .header
        if let event = try end(header) { return event }
      }
    }
  }

  /// Checks a header against the limits and the message that is received.
  private mutating func begin(_ header: FrameHeader) throws(ProtocolFault) {
    guard header.length <= limits.frame else { throw .tooLarge("frame", limit: limits.frame) }
    switch (header.type, messageType) {
    case (.continuation, nil): throw .violation("a continuation has no message to continue")
    case (.text, .some), (.binary, .some): throw .violation("a message begins within another one")
    case (.text, nil), (.binary, nil):
      (messageType, fragments, checker) = (header.type, 1, UTF8Checker())
      isCompressed = header.isCompressed
    case (.continuation, .some): fragments += 1
    case (.close, _), (.ping, _), (.pong, _): return control = []
    }
    guard fragments <= ReadingLimits.fragments else { throw .fragments(limit: ReadingLimits.fragments) }
    // A compressed message is measured while it is decompressed.
    guard isCompressed || header.length <= limits.message - message.count else {
      throw .tooLarge("message", limit: limits.message)
    }
  }

  private mutating func take(_ piece: ArraySlice<UInt8>, of header: FrameHeader) throws(ProtocolFault) {
    guard !header.type.isControl else { return control += piece }
    guard isCompressed, let inflater else { return try add(piece) }
    try add(try inflater.inflate(piece, limit: limits.message - message.count)[...])
  }

  private mutating func add(_ piece: ArraySlice<UInt8>) throws(ProtocolFault) {
    if messageType == .text, !checker.accept(piece) { throw .invalidText }
    message += piece
  }

  private mutating func end(_ header: FrameHeader) throws(ProtocolFault) -> Event? {
    switch header.type {
    case .ping: return .ping(control)
    case .pong: return .pong(control)
    case .close: return .close(try WebSocketClosure(payload: control))
    case .continuation, .text, .binary: break
    }
    guard header.isFinal else { return nil }
    if isCompressed, let inflater {
      try add(try inflater.finish(limit: limits.message - message.count)[...])
    }
    defer { (message, messageType) = ([], nil) }
    guard messageType == .text else { return .message(.binary(message)) }
    guard checker.isComplete else { throw .invalidText }
    return .message(.text(String(decoding: message, as: UTF8.self)))
  }

  /// Drops the bytes that were read.
  private mutating func compact() {
    if offset == input.count { input = [] } else { input.removeFirst(offset) }
    offset = 0
  }
}
