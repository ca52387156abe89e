import Testing

@testable import Cryptography

@Suite struct ContentHashTests {
  // FIPS 180-4, examples for "abc".
  static let answers: [(ContentHash.Algorithm, String)] = [
    (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ]

  @Test("The hash of chunks is that of the whole, and that of the standard", arguments: answers)
  func chunks(_ algorithm: ContentHash.Algorithm, _ expected: String) throws {
    var hash = try ContentHash(algorithm)
    for chunk in [[], Array("ab".utf8), Array("c".utf8)] { try hash.update(chunk) }
    #expect(Hexadecimal.encode(try hash.finish()) == expected)
    #expect(Hexadecimal.encode(try algorithm.hash(of: Array("abc".utf8))) == expected)
    #expect(try algorithm.hash(of: []).count == algorithm.size)
  }
}
