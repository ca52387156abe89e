import Testing

@testable import Cryptography

@Suite(.enabled(if: WycheproofFile.isThere, "Requires ../shared/vectors next to the package"))
struct WycheproofTests {
  @Test("All 174 Wycheproof vectors for HMAC-SHA256 give the expected result")
  func hmac() throws {
    let file = try WycheproofFile.read("hmac_sha256")
    var run = 0
    for group in file.testGroups {
      let size = try #require(group.tagSize) / 8
      for vector in group.tests {
        let tag = try MessageAuthentication.hmacSHA256(
          key: WycheproofFile.bytes(vector.key), message: WycheproofFile.bytes(vector.msg))
        let isSame = MessageAuthentication.areEqual(
          Array(tag.prefix(size)), try WycheproofFile.bytes(vector.tag))
        #expect(isSame == (vector.result == "valid"), "tcId \(vector.tcId)")
        run += 1
      }
    }
    print("wycheproof-hmac_sha256.json: \(run) cases")
    #expect(run == 174 && file.numberOfTests == run)
  }

  @Test("All 86 Wycheproof vectors for HKDF-SHA256 give the expected result")
  func hkdf() throws {
    let file = try WycheproofFile.read("hkdf_sha256")
    var run = 0
    for vector in file.testGroups.flatMap(\.tests) {
      let secret = try WycheproofFile.bytes(vector.ikm)
      let salt = try WycheproofFile.bytes(vector.salt)
      let info = try WycheproofFile.bytes(vector.info)
      let size = try #require(vector.size)
      if vector.result == "valid" {
        let derived = try MessageAuthentication.hkdfSHA256(
          secret: secret, salt: salt, info: info, size: size)
        #expect(try derived == WycheproofFile.bytes(vector.okm), "tcId \(vector.tcId)")
      } else {
        #expect(throws: CryptographyError.self, "tcId \(vector.tcId)") {
          try MessageAuthentication.hkdfSHA256(secret: secret, salt: salt, info: info, size: size)
        }
      }
      run += 1
    }
    print("wycheproof-hkdf_sha256.json: \(run) cases")
    #expect(run == 86 && file.numberOfTests == run)
  }
}

@Suite struct MessageAuthenticationTests {
  @Test("Tags are equal only if length and every byte are")
  func equality() {
    let tag = [UInt8](repeating: 7, count: 32)
    #expect(MessageAuthentication.areEqual(tag, tag))
    #expect(MessageAuthentication.areEqual([], []))
    #expect(!MessageAuthentication.areEqual(tag, Array(tag.dropLast())))
    for index in tag.indices {
      var other = tag
      other[index] ^= 1
      #expect(!MessageAuthentication.areEqual(tag, other), "byte \(index)")
    }
  }

  @Test("An empty key and an empty message are legal")
  func empty() throws {
    // python3 -c "import hmac; print(hmac.new(b'', b'', 'sha256').hexdigest())"
    let tag = try MessageAuthentication.hmacSHA256(key: [], message: [])
    #expect(
      Hexadecimal.encode(tag) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }
}
