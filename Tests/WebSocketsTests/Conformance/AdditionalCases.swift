@testable import WebSockets

// Cases that the list does not have; their numbers begin with "S".
extension ConformanceCase {
  static let additional: [ConformanceCase] =
    wrongHeaders + [flood] + wrongCompression + (9...15).flatMap { windows(bits: $0) } + [separateMessages]

  private static let wrongHeaders: [ConformanceCase] = [
    ConformanceCase(
      "S.1.1", "a masked text", end: .failed(.protocolError),
      Exchange([ServerFrame(opcode: 1, payload: [0x61], isMasked: true)])),
    ConformanceCase(
      "S.1.2", "a masked close frame", end: .failed(.protocolError),
      Exchange([ServerFrame(opcode: 8, payload: [0x03, 0xE8], isMasked: true)])),
    ConformanceCase(
      "S.1.3", "a length of 2^63, of which only the first byte arrives", end: .failed(.protocolError),
      isFailFast: true, Exchange(writes: [[0x82, 127], [0x80]])),
    ConformanceCase(
      "S.1.4", "a length of 2^63 - 1", end: .failed(.messageTooBig), isFailFast: true,
      Exchange(writes: [[0x82, 127, 0x7F], [UInt8](repeating: 0xFF, count: 7)])),
    ConformanceCase(
      "S.1.5", "a length of 125 in 16 bits", end: .failed(.protocolError), isFailFast: true,
      Exchange(writes: [[0x82, 126, 0, 125]])),
    ConformanceCase(
      "S.1.6", "a length of 65535 in 64 bits", end: .failed(.protocolError), isFailFast: true,
      Exchange(writes: [[0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]])),
    ConformanceCase(
      "S.1.7", "the header of a frame of one byte more than the maximum", end: .failed(.messageTooBig),
      isFailFast: true, Exchange(writes: [[0x82, 127, 0, 0, 0, 0, 0x01, 0, 0, 0x01]])),
    ConformanceCase(
      "S.1.8", "a fragment of one byte, and the header of one with the maximum", end: .failed(.messageTooBig),
      isFailFast: true, Exchange(writes: [[0x02, 1, 7], [0x80, 127, 0, 0, 0, 0, 0x01, 0, 0, 0]])),
    ConformanceCase(
      "S.1.9", "a close frame whose reason ends within a character", end: .failed(.invalidPayload),
      Exchange([.close(1000, [0x61, 0xE2, 0x82])])),
  ]

  /// The reader does not limit pings, and the first ones are answered.
  private static let flood = ConformanceCase(
    "S.2.1", "a thousand pings", end: .failed(.policyViolation), scope: .socket,
    Exchange((0..<1000).map { _ in .ping() }, replies: (0..<1000).map { _ in .pong([]) }))

  private static let agreed = ConformanceCompression()
  /// "Hello", as RFC 7692, section 7.2.3.1, has it.
  private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
  private static let plain = Array("plain".utf8)

  private static let wrongCompression: [ConformanceCase] = [
    ConformanceCase(
      "S.3.1", "a message that is not compressed, between two that are", compression: agreed,
      Exchange(
        [
          ServerFrame(opcode: 1, reserved: 4, payload: hello), .text("plain"),
          ServerFrame(opcode: 1, reserved: 4, payload: hello),
        ], replies: [.text(Array("Hello".utf8)), .text(plain), .text(Array("Hello".utf8))])),
    ConformanceCase(
      "S.3.2", "RSV1 in a continuation", end: .failed(.protocolError), compression: agreed,
      Exchange([
        ServerFrame(opcode: 1, isFinal: false, reserved: 4, payload: Array(hello.prefix(3))),
        ServerFrame(opcode: 0, reserved: 4, payload: Array(hello.dropFirst(3))),
      ])),
    ConformanceCase(
      "S.3.3", "RSV1 in a ping", end: .failed(.protocolError), compression: agreed,
      Exchange([ServerFrame(opcode: 9, reserved: 4)])),
    ConformanceCase(
      "S.3.4", "RSV2 in a compressed text", end: .failed(.protocolError), compression: agreed,
      Exchange([ServerFrame(opcode: 1, reserved: 6, payload: hello)])),
    ConformanceCase(
      "S.3.5", "a block of a type that deflate does not have", end: .failed(.invalidPayload),
      compression: agreed, Exchange([ServerFrame(opcode: 2, reserved: 4, payload: [0xFF, 0xFF])])),
    ConformanceCase(
      "S.3.6", "a compressed message without its last byte", end: .failed(.invalidPayload),
      compression: agreed,
      Exchange([ServerFrame(opcode: 2, reserved: 4, payload: Array(hello.prefix(5)))])),
    ConformanceCase(
      "S.3.7", "a compressed text that is not UTF-8", end: .failed(.invalidPayload), compression: agreed
    ) {
      // The text does not come back.
      try agreed.exchanges(isBinary: false, [UTF8Cases.word + [0xED, 0xA0, 0x80]])
        .map { Exchange(writes: $0.writes) }
    },
  ]

  /// The server's window with each size, with and without what it retains of earlier messages.
  private static func windows(bits: Int) -> [ConformanceCase] {
    ["", "; server_no_context_takeover"].enumerated().map { index, parameters in
      let compression = ConformanceCompression(
        parameters: "; server_max_window_bits=\(bits)" + parameters, windowBits: bits)
      return ConformanceCase(
        "S.\(index + 4).\(bits)", "three messages of 64 KiB, \(compression.field)", compression: compression
      ) {
        try compression.exchanges(
          isBinary: false, (0..<3).map { SampleText.page.message($0, count: 64 << 10) }, fragmentLength: 4096)
      }
    }
  }

  private static let separateMessages: ConformanceCase = {
    let compression = ConformanceCompression(
      parameters: "; server_no_context_takeover; client_no_context_takeover", requiresSeparateMessages: true)
    return ConformanceCase(
      "S.6.1", "the same text three times, \(compression.field), as the client requires",
      compression: compression
    ) {
      try compression.exchanges(
        isBinary: false, (0..<3).map { _ in SampleText.records.message(0, count: 4096) })
    }
  }()
}
