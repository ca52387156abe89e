import Testing

@testable import WebSocketCompression
@testable import WebSockets

@Suite("MessageInflater")
struct MessageInflaterTests {
  private static let hello = Array("Hello".utf8)

  /// Decompresses messages, each in pieces of a size.
  private func inflate(
    _ messages: [[UInt8]], inPiecesOf size: Int = .max, retainsContext: Bool = true, limit: Int = 1 << 20
  ) throws -> [[UInt8]] {
    let inflater = try #require(MessageInflater(retainsContext: retainsContext))
    return try messages.map { message in
      var result: [UInt8] = []
      var rest = message[...]
      while !rest.isEmpty {
        result += try inflater.inflate(rest.prefix(size), limit: limit - result.count)
        rest = rest.dropFirst(size)
      }
      return result + (try inflater.finish(limit: limit - result.count))
    }
  }

  @Test(
    "The examples of RFC 7692, section 7.2.3, are decompressed, in pieces of any size",
    arguments: [1, 2, .max])
  func examples(size: Int) throws {
    let messages: [[UInt8]] = [
      [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00],
      // Refers to the first one.
      [0xF2, 0x00, 0x11, 0x00, 0x00],
      // Not compressed.
      [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
      // Marked as the last block.
      [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
      // Refers to those before the last block.
      [0xF2, 0x00, 0x11, 0x00, 0x00],
      // Two blocks.
      [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
    ]
    #expect(try inflate(messages, inPiecesOf: size) == messages.map { _ in Self.hello })
  }

  @Test("An empty message is one byte")
  func empty() throws {
    #expect(try inflate([[0x00], [0x02, 0x00]]) == [[], []])
  }

  @Test("A reference to an earlier message is refused if the server compresses each by itself")
  func separate() {
    let messages: [[UInt8]] = [
      [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], [0xF2, 0x00, 0x11, 0x00, 0x00],
    ]
    #expect(throws: ProtocolFault.invalidCompression) { try inflate(messages, retainsContext: false) }
  }

  @Test("Malformed and truncated messages are refused with code 1007")
  func malformed() throws {
    let whole = try #require(
      MessageDeflater(minimumLength: 1)?.deflate(Array(String(repeating: "to and fro, ", count: 99).utf8)))
    for message in [[0xFF, 0xFF], [0x07, 0x00], [0x00, 0x05, 0x00, 0x05, 0x00], Array(whole.dropLast(3))] {
      let fault = #expect(throws: ProtocolFault.self) { try inflate([message]) }
      #expect(fault?.code == .invalidPayload)
    }
  }

  @Test("A message that grows beyond the limit is refused while it grows")
  func bomb() throws {
    let zeros = [UInt8](repeating: 0, count: 16 << 20)
    let message = try #require(MessageDeflater(minimumLength: 1)?.deflate(zeros))
    #expect(message.count < 20_000)
    #expect(throws: ProtocolFault.tooLarge("message", limit: 1 << 20)) { try inflate([message]) }
    #expect(try inflate([message], limit: zeros.count) == [zeros])
  }

  @Test("Last blocks without end are refused, because each costs the time of a window")
  func lastBlocks() throws {
    let block: [UInt8] = [0x03, 0x00]
    let few = Array(repeatElement(block, count: 60).joined()) + [0x00]
    #expect(try inflate([few, few]) == [[], []])
    let many = Array(repeatElement(block, count: 100).joined()) + [0x00]
    #expect(throws: ProtocolFault.invalidCompression) { try inflate([many]) }
  }

  @Test("Arbitrary bytes are decompressed or refused, alike in one piece and in many")
  func arbitraryBytes() {
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...64)).map { _ in UInt8.random(in: 0...255) }
      #expect((try? inflate([bytes])) == (try? inflate([bytes], inPiecesOf: 1)), "\(bytes)")
    }
  }
}
