import Testing

@testable import WebSocketCompression
@testable import WebSockets

@Suite("MessageDeflater")
struct MessageDeflaterTests {
  private static let text = Array(String(repeating: #"{"price": 59222, "beds": 2}"#, count: 200).utf8)

  @Test("A message is compressed by itself, so that each can be decompressed alone")
  func roundTrip() throws {
    let deflater = try #require(MessageDeflater(minimumLength: 1))
    for message in [Self.text, [7], Array("Hello".utf8), Self.text] {
      guard let compressed = deflater.deflate(message) else { continue }
      #expect(compressed.count < message.count)
      let inflater = try #require(MessageInflater(retainsContext: false))
      let rest = try inflater.inflate(compressed[...], limit: .max)
      #expect(try rest + inflater.finish(limit: .max) == message)
    }
    #expect(deflater.deflate(Self.text) == deflater.deflate(Self.text))
  }

  @Test("Short messages, and those that do not become shorter, are left as they are")
  func unchanged() throws {
    let deflater = try #require(MessageDeflater(minimumLength: 1_024))
    #expect(deflater.deflate(Array(Self.text.prefix(1_023))) == nil)
    #expect(deflater.deflate(Array(Self.text.prefix(1_024))) != nil)
    var random = SystemRandomNumberGenerator()
    let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(deflater.deflate(noise) == nil)
    // The failed attempt has left nothing behind.
    #expect(deflater.deflate(Self.text) == MessageDeflater(minimumLength: 0)?.deflate(Self.text))
    #expect(MessageDeflater(minimumLength: 0)?.deflate([]) == nil)
  }

  @Test("Several tasks may compress at once")
  func concurrency() async throws {
    let deflater = try #require(MessageDeflater(minimumLength: 1))
    let expected = deflater.deflate(Self.text)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { deflater.deflate(Self.text) == expected } }
      for await isRight in group { #expect(isRight) }
    }
  }
}
