import Testing

@testable import Cryptography

@Suite struct AuthenticatedCipherTests {
  private let key = (0..<32).map(UInt8.init)
  private let nonce = (0..<12).map(UInt8.init)
  private let text = Array("caller's secret".utf8)
  private let data = Array("request".utf8)

  @Test("A text is sealed as another implementation seals it, and opened again")
  func knownAnswer() throws {
    // AESGCM(bytes(range(32))).encrypt(bytes(range(12)), b"caller's secret", b"request").hex() of
    // python3-cryptography
    let expected = "2463ba77a097e568ad32f2e8c38c0c831535f40228d05f924ab47c5370cb6e"
    let cipher = try AuthenticatedCipher(key: key)
    let sealed = try cipher.seal(text, nonce: nonce, authenticating: data)
    #expect(Hexadecimal.encode(sealed) == expected)
    #expect(try cipher.open(sealed, nonce: nonce, authenticating: data) == text)
  }

  @Test("The two test cases of the GCM specification with a key and a text of zeros are reproduced")
  func specification() throws {
    // Test cases 13 and 14 of McGrew and Viega, "The Galois/Counter Mode of Operation".
    let cipher = try AuthenticatedCipher(key: [UInt8](repeating: 0, count: 32))
    let zeros = [UInt8](repeating: 0, count: 12)
    #expect(
      Hexadecimal.encode(try cipher.seal([], nonce: zeros, authenticating: []))
        == "530f8afbc74536b9a963b4f1c4cb738b")
    #expect(
      Hexadecimal.encode(
        try cipher.seal([UInt8](repeating: 0, count: 16), nonce: zeros, authenticating: []))
        == "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919")
    let sealed = try cipher.seal([], nonce: zeros, authenticating: [])
    #expect(try cipher.open(sealed, nonce: zeros, authenticating: []) == [])
  }

  @Test("A change of any byte of the sealed text, the data, the nonce or the key is noticed")
  func changes() throws {
    let cipher = try AuthenticatedCipher(key: key)
    let sealed = try cipher.seal(text, nonce: nonce, authenticating: data)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(try cipher.open(changed, nonce: nonce, authenticating: data) == nil, "byte \(index)")
    }
    for count in 0..<sealed.count {
      let cut = Array(sealed.prefix(count))
      #expect(try cipher.open(cut, nonce: nonce, authenticating: data) == nil, "\(count) bytes")
    }
    #expect(try cipher.open(sealed, nonce: nonce, authenticating: data + [0]) == nil)
    #expect(try cipher.open(sealed, nonce: nonce.reversed(), authenticating: data) == nil)
    let other = try AuthenticatedCipher(key: key.reversed())
    #expect(try other.open(sealed, nonce: nonce, authenticating: data) == nil)
  }

  @Test("A key or a nonce of another length is refused")
  func lengths() throws {
    #expect(throws: CryptographyError.self) { try AuthenticatedCipher(key: Array(key.dropLast())) }
    let cipher = try AuthenticatedCipher(key: key)
    #expect(throws: CryptographyError.self) {
      try cipher.seal(text, nonce: Array(nonce.dropLast()), authenticating: data)
    }
  }
}
