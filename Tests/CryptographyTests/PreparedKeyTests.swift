import Testing

@testable import Cryptography

@Suite struct PreparedKeyTests {
  @Test(
    "A prepared key computes the same tags as plain HMAC-SHA256", arguments: [0, 1, 31, 32, 63, 64],
    [0, 1, 55, 64, 320, 1000])
  func sameTags(keySize: Int, messageSize: Int) throws {
    let key = (0..<keySize).map { UInt8($0 & 0xFF) }
    let message = (0..<messageSize).map { UInt8($0 * 7 & 0xFF) }
    let expected = try MessageAuthentication.hmacSHA256(key: key, message: message)
    let prepared = try PreparedKey(key)
    var digest = try Digest()
    try digest.update([1, 2, 3])
    // Twice, because the context and the key are reused.
    #expect(try prepared.tag(of: message, in: &digest) == expected)
    #expect(try prepared.tag(of: message, in: &digest) == expected)
  }

  @Test("A key longer than a block is refused")
  func longKey() {
    #expect(throws: CryptographyError.self) { try PreparedKey([UInt8](repeating: 1, count: 65)) }
  }

  @Test("Threads can share a key")
  func sharing() async throws {
    let prepared = try PreparedKey([UInt8](repeating: 9, count: 32))
    let tags = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var digest = try Digest()
          return try (0..<200).map { try prepared.tag(of: [UInt8($0)], in: &digest) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tags.count == 8)
    #expect(tags.allSatisfy { $0 == tags[0] })
    #expect(Set(tags[0]).count == 200)
  }

  @Test("No text reveals the key")
  func secrecy() throws {
    let prepared = try PreparedKey([UInt8](repeating: 9, count: 32))
    var text = ""
    dump(prepared, to: &text)
    #expect(!text.contains("inner"))
    #expect("\(prepared)" == "(secret)")
  }
}
