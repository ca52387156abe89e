import Testing

@testable import WebSocketCompression
@testable import WebSockets

@Suite("MessageReader")
struct MessageReaderTests {
  private typealias Event = MessageReader.Event

  /// Reads frames that arrive in pieces of a size.
  private func events(
    of bytes: [UInt8], inPiecesOf size: Int = .max, limits: ReadingLimits = ReadingLimits(),
    isCompressed: Bool = false
  ) throws(ProtocolFault) -> [MessageReader.Event] {
    var reader = MessageReader(
      limits: limits, inflater: isCompressed ? MessageInflater(retainsContext: true) : nil)
    var events: [MessageReader.Event] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(size)
      rest = rest.dropFirst(size)
      reader.append(Array(piece))
      while let event = try reader.next() { events.append(event) }
    }
    return events
  }

  private func fault(
    of bytes: [UInt8], limits: ReadingLimits = ReadingLimits(), isCompressed: Bool = false
  ) -> ProtocolFault? {
    do throws(ProtocolFault) {
      _ = try events(of: bytes, limits: limits, isCompressed: isCompressed)
      return nil
    } catch {
      return error
    }
  }

  @Test("Frames of every length are read, in pieces of any size", arguments: [1, 2, 3, 7, 1000, Int.max])
  func pieces(size: Int) throws {
    let lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 70_000]
    let payloads = lengths.map { [UInt8](repeating: 7, count: $0) }
    let bytes = payloads.flatMap { ServerFrame.binary($0).bytes }
    let read = try events(of: bytes, inPiecesOf: size)
    #expect(read == payloads.map { .message(.binary($0)) })
  }

  @Test("Fragments become one message, with control frames between them")
  func fragments() throws {
    let frames: [ServerFrame] = [
      .text("one ", isFinal: false), .ping([1]), .continuation([], isFinal: false),
      .continuation(Array("two".utf8), isFinal: false), .pong([2]), .continuation(Array("!".utf8)),
      .binary([9]), .close(1000),
    ]
    let read = try events(of: frames.flatMap(\.bytes), inPiecesOf: 1)
    #expect(
      read == [
        .ping([1]), .pong([2]), .message(.text("one two!")), .message(.binary([9])),
        .close(.init(code: .normal)),
      ])
  }

  @Test("A character may be cut by a fragment's border and by a piece's")
  func cutCharacters() throws {
    let text = "añ€😀"
    let bytes = Array(text.utf8)
    for border in 0...bytes.count {
      let frames: [ServerFrame] = [
        ServerFrame(opcode: 1, isFinal: false, payload: Array(bytes[..<border])),
        .continuation(Array(bytes[border...])),
      ]
      #expect(try events(of: frames.flatMap(\.bytes), inPiecesOf: 1) == [.message(.text(text))])
    }
  }

  @Test("A text that ends within a character is refused at its end")
  func truncatedText() throws {
    let frame = ServerFrame(opcode: 1, payload: [0xE2, 0x82])
    #expect(fault(of: frame.bytes) == .invalidText)
  }

  @Test("A wrong byte is refused before its message is complete")
  func earlyRefusal() throws {
    var header = ServerFrame(opcode: 1, payload: [UInt8](repeating: 0x61, count: 1000)).bytes
    header = Array(header[..<4]) + [0x61, 0xFF]
    #expect(fault(of: header) == .invalidText)
  }

  @Test(
    "A frame against the protocol is refused with code 1002",
    arguments: [
      ServerFrame(opcode: 1, payload: [0x61], isMasked: true).bytes,
      ServerFrame(opcode: 1, reserved: 4).bytes, ServerFrame(opcode: 2, reserved: 2).bytes,
      ServerFrame(opcode: 9, reserved: 1).bytes, ServerFrame(opcode: 3).bytes, ServerFrame(opcode: 7).bytes,
      ServerFrame(opcode: 11).bytes, ServerFrame(opcode: 15).bytes,
      ServerFrame(opcode: 9, isFinal: false).bytes, ServerFrame(opcode: 8, isFinal: false).bytes,
      ServerFrame(opcode: 9, payload: [UInt8](repeating: 0, count: 126)).bytes,
      ServerFrame.continuation([1]).bytes,
      ServerFrame.text("a", isFinal: false).bytes + ServerFrame.text("b").bytes,
      // 2^63, by its first byte; and lengths that fewer bytes could hold.
      [0x82, 127, 0x80], [0x82, 126, 0, 125], [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
      ServerFrame(opcode: 8, payload: [3]).bytes,
    ])
  func violations(bytes: [UInt8]) {
    #expect(fault(of: bytes)?.code == .protocolError)
  }

  @Test(
    "A close frame with a code that no frame may carry is refused",
    arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535] as [UInt16])
  func invalidCodes(code: UInt16) {
    #expect(fault(of: ServerFrame.close(code).bytes)?.code == .protocolError)
  }

  @Test(
    "A close frame with a valid code is read, with its reason",
    arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 4999]
      as [UInt16])
  func validCodes(code: UInt16) throws {
    let frame = ServerFrame.close(code, Array("because".utf8))
    let closure = WebSocketClosure(code: .init(rawValue: code), reason: "because")
    #expect(try events(of: frame.bytes) == [.close(closure)])
  }

  @Test("A close frame may have no code, and its reason must be UTF-8")
  func closeFrames() throws {
    #expect(try events(of: ServerFrame.close(nil).bytes) == [.close(.init(code: nil))])
    #expect(fault(of: ServerFrame.close(1000, [0xC0, 0x80]).bytes) == .invalidText)
    #expect(fault(of: ServerFrame.close(1000, [0xE2, 0x82]).bytes) == .invalidText)
  }

  @Test("A frame and a message above the limits are refused by the header, without their payload")
  func limits() {
    let limits = ReadingLimits(frame: 1000, message: 1500)
    let frame = ServerFrame.binary([UInt8](repeating: 0, count: 1001)).bytes
    #expect(fault(of: Array(frame[..<4]), limits: limits) == .tooLarge("frame", limit: 1000))
    let first = ServerFrame.binary([UInt8](repeating: 0, count: 1000), isFinal: false).bytes
    let second = ServerFrame.continuation([UInt8](repeating: 0, count: 501)).bytes
    #expect(fault(of: first + second[..<4], limits: limits) == .tooLarge("message", limit: 1500))
    #expect(fault(of: first + ServerFrame.continuation([1]).bytes, limits: limits) == nil)
  }

  @Test("Compressed and other messages are read, also in fragments", arguments: [1, 3, Int.max])
  func compression(size: Int) throws {
    // "Hello", as RFC 7692, section 7.2.3.1, has it.
    let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    let frames: [ServerFrame] = [
      ServerFrame(opcode: 1, reserved: 4, payload: hello), .text("plain"),
      ServerFrame(opcode: 1, isFinal: false, reserved: 4, payload: Array(hello[..<3])), .ping([1]),
      .continuation([], isFinal: false), .continuation(Array(hello[3...])),
      ServerFrame(opcode: 2, reserved: 4, payload: [0x00]),
    ]
    let read = try events(of: frames.flatMap(\.bytes), inPiecesOf: size, isCompressed: true)
    #expect(
      read == [
        .message(.text("Hello")), .message(.text("plain")), .ping([1]), .message(.text("Hello")),
        .message(.binary([])),
      ])
  }

  @Test(
    "The mark of a compressed message elsewhere, and other reserved bits, are refused with code 1002",
    arguments: [
      ServerFrame(opcode: 1, reserved: 2).bytes, ServerFrame(opcode: 1, reserved: 5).bytes,
      ServerFrame(opcode: 9, reserved: 4).bytes, ServerFrame(opcode: 8, reserved: 4).bytes,
      ServerFrame.binary([], isFinal: false).bytes + ServerFrame(opcode: 0, reserved: 4).bytes,
    ])
  func misplacedCompression(bytes: [UInt8]) {
    #expect(fault(of: bytes, isCompressed: true)?.code == .protocolError)
  }

  @Test("A compressed text must be UTF-8, and a compressed message within the limit")
  func compressedFaults() throws {
    let deflater = try #require(MessageDeflater(minimumLength: 1))
    let wrong = try #require(deflater.deflate([UInt8](repeating: 0xFF, count: 100)))
    #expect(
      fault(of: ServerFrame(opcode: 1, reserved: 4, payload: wrong).bytes, isCompressed: true) == .invalidText
    )
    #expect(
      fault(of: ServerFrame(opcode: 2, reserved: 4, payload: wrong).bytes, isCompressed: true) == nil)
    #expect(
      fault(
        of: ServerFrame(opcode: 2, reserved: 4, payload: wrong).bytes, limits: ReadingLimits(message: 99),
        isCompressed: true)?.code == .messageTooBig)
  }

  @Test("Empty fragments without end are refused")
  func endlessFragments() {
    let start = ServerFrame.binary([], isFinal: false).bytes
    let more = ServerFrame.continuation([], isFinal: false).bytes
    let bytes = start + (0..<ReadingLimits.fragments).flatMap { _ in more }
    #expect(fault(of: bytes)?.code == .policyViolation)
  }

  @Test("No byte is held after complete messages, and at most the message's within one")
  func memory() throws {
    var reader = MessageReader()
    for _ in 0..<100 { reader.append(ServerFrame.binary([UInt8](repeating: 1, count: 100)).bytes) }
    while let event = try reader.next() {
      #expect(event == .message(.binary([UInt8](repeating: 1, count: 100))))
    }
    #expect(reader.heldBytes == 0 && !reader.isInsideMessage)
    reader.append(Array(ServerFrame.binary([UInt8](repeating: 1, count: 100)).bytes.dropLast(1)))
    let event = try reader.next()
    #expect(event == nil)
    #expect(reader.heldBytes == 99 && reader.isInsideMessage)
  }

  @Test("Arbitrary bytes are read or refused, alike in one piece and in many")
  func arbitraryBytes() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255) }
      // Mostly headers that get further than their first byte.
      if let first = bytes.first, Bool.random() { bytes[0] = first & 0x8F }
      if bytes.count > 1, Bool.random() { bytes[1] &= 0x3F }
      let whole = Result { () throws(ProtocolFault) in try events(of: bytes) }
      let pieces = Result { () throws(ProtocolFault) in try events(of: bytes, inPiecesOf: 1) }
      #expect(whole == pieces, "\(bytes)")
    }
  }
}
