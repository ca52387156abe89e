import Testing

@testable import Cryptography

@Suite struct KeyedHashTests {
  @Test("HMAC agrees with the examples of RFC 2202 and RFC 4231")
  func examples() throws {
    let key = [UInt8](repeating: 0x0B, count: 20)
    let message = Array("Hi There".utf8)
    let expected: [(KeyedHash, String)] = [
      (.sha1, "b617318655057264e28bc0b6fb378c8ef146be00"),
      (.sha256, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
      (
        .sha512,
        "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
      ),
    ]
    for (hash, tag) in expected {
      #expect(Hexadecimal.encode(try hash.tag(key: key, message: message)) == tag)
      #expect(tag.count == 2 * hash.size)
    }
  }

  @Test("An empty key and a key longer than a block are accepted")
  func keyLengths() throws {
    for hash in KeyedHash.allCases {
      for count in [0, 1, 64, 128, 129, 10_000] {
        let tag = try hash.tag(key: [UInt8](repeating: 1, count: count), message: [])
        #expect(tag.count == hash.size)
      }
    }
    let long = [UInt8](repeating: 0xAA, count: 131)
    let message = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
    #expect(
      Hexadecimal.encode(try KeyedHash.sha256.tag(key: long, message: message))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }
}
