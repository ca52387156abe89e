import Testing

@testable import LoopbackTesting

@Suite struct FrameHeaderReaderTests {
  @Test("Frame headers are found behind the preface and behind payloads of any length")
  func frames() {
    var reader = FrameHeaderReader()
    var bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    // SETTINGS without payload, HEADERS of 3 bytes on stream 1, DATA of 258 bytes with the reserved bit set,
    // CONTINUATION on stream 259.
    bytes += [0, 0, 0, 4, 0, 0, 0, 0, 0]
    bytes += [0, 0, 3, 1, 5, 0, 0, 0, 1, 7, 7, 7]
    bytes += [0, 1, 2, 0, 0, 0x80, 0, 0, 1] + Array(repeating: 1, count: 258)
    bytes += [0, 0, 1, 9, 4, 0, 0, 1, 3, 0]
    let frames = bytes.compactMap { reader.read($0) }
    #expect(
      frames == [
        .init(length: 0, type: 4, stream: 0), .init(length: 3, type: 1, stream: 1),
        .init(length: 258, type: 0, stream: 1), .init(length: 1, type: 9, stream: 259),
      ])
    #expect(frames.map(\.isPartOfHeaderBlock) == [false, true, false, true])
  }

  @Test("The size of a header block includes its continuations, and is returned once")
  func blocks() {
    let blocks = HeaderBlocks()
    blocks.read("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    blocks.read([0, 0, 2, 1, 1, 0, 0, 0, 3, 7])
    blocks.read([7, 0, 0, 1, 9, 4, 0, 0, 0, 3, 7])
    #expect(blocks.take(3) == 3)
    #expect(blocks.take(3) == nil)
  }
}
