import Testing

@testable import EstateServer

@Suite struct GzipCodingTests {
  static let text = Array(String(repeating: "A quiet street near the river. ", count: 2000).utf8)

  @Test("Decoding restores the encoded bytes", arguments: [0, 1, 1023, 16384, 62000])
  func roundTrip(count: Int) throws {
    let bytes = Array(Self.text.prefix(count))
    #expect(try GzipCoding.decode(GzipCoding.encode(bytes), limit: count) == bytes)
  }

  @Test("Two consecutive members decode to both")
  func members() throws {
    let two = try GzipCoding.encode(Array("one".utf8)) + GzipCoding.encode(Array("two".utf8))
    #expect(try GzipCoding.decode(two, limit: 6) == Array("onetwo".utf8))
  }

  @Test("One byte above the limit is too large")
  func limit() throws {
    let coded = try GzipCoding.encode(Self.text)
    #expect(throws: GzipFault.tooLarge) { try GzipCoding.decode(coded, limit: Self.text.count - 1) }
  }

  @Test("A stream cut short anywhere is damaged")
  func cut() throws {
    let coded = try GzipCoding.encode(Array(Self.text.prefix(500)))
    for count in 0..<coded.count {
      #expect(throws: GzipFault.damaged) { try GzipCoding.decode(Array(coded[..<count]), limit: 1000) }
    }
  }

  @Test("A wrong checksum, another format and trailing bytes are damage")
  func damage() throws {
    var checksum = try GzipCoding.encode(Self.text)
    checksum[checksum.count - 5] ^= 1
    #expect(throws: GzipFault.damaged) { try GzipCoding.decode(checksum, limit: 1 << 20) }
    #expect(throws: GzipFault.damaged) { try GzipCoding.decode(Array("{}".utf8), limit: 100) }
    let trailing = try GzipCoding.encode(Array("one".utf8)) + [1, 2, 3]
    #expect(throws: GzipFault.damaged) { try GzipCoding.decode(trailing, limit: 100) }
  }
}
