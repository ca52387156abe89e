import Testing

@testable import Cryptography

@Suite struct AsymmetricKeyTests {
  // RFC 8032, section 7.1, test 3, as PKCS #8 and SubjectPublicKeyInfo.
  private static let privatePEM = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3
    -----END PRIVATE KEY-----
    """
  private static let publicPEM = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEA/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=
    -----END PUBLIC KEY-----
    """

  @Test("Ed25519 reproduces test 3 of RFC 8032, and verifies with the public key alone")
  func ed25519() throws {
    let key = try #require(AsymmetricKey(privatePEM: Self.privatePEM))
    let publicKey = try #require(AsymmetricKey(publicPEM: Self.publicPEM))
    #expect(key.kind == .ed25519 && key.isPrivate && !publicKey.isPrivate)
    let signature = try key.sign([0xAF, 0x82], with: .ed25519)
    #if canImport(CryptoKit)
    // CryptoKit adds random bytes, so that no two signatures of a message are equal.
    #expect(signature.count == 64)
    #else
    #expect(
      Hexadecimal.encode(signature)
        == "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a")
    #endif
    #expect(try publicKey.verifies(signature, of: [0xAF, 0x82], with: .ed25519))
    #expect(try !publicKey.verifies(signature, of: [0xAF, 0x83], with: .ed25519))
    #expect(try !publicKey.verifies([], of: [0xAF, 0x82], with: .ed25519))
    #expect(try !publicKey.verifies(signature + [0], of: [0xAF, 0x82], with: .ed25519))
  }

  @Test("A scheme refuses keys of another kind, and a public key can't sign")
  func wrongKind() throws {
    let key = try #require(AsymmetricKey(privatePEM: Self.privatePEM))
    for scheme in SignatureScheme.allCases where scheme != .ed25519 {
      #expect(throws: CryptographyError.self) { try key.sign([1], with: scheme) }
      #expect(throws: CryptographyError.self) { try key.verifies([1], of: [1], with: scheme) }
    }
    let publicKey = try #require(AsymmetricKey(publicPEM: Self.publicPEM))
    #expect(throws: CryptographyError.self) { try publicKey.sign([1], with: .ed25519) }
  }

  @Test(
    "Each form of a key is read as what it is, wherever the block stands in the text",
    arguments: KeyText.readable)
  func forms(_ form: KeyText) throws {
    let lines = form.text.split(separator: "\n")
    for text in [
      form.text, form.text + "\n", lines.joined(separator: "\r\n") + "\r\n",
      "A key.\n\n\(form.text)\n\nIts end.\n", lines.joined(separator: " \n") + "\n",
    ] {
      let key = form.isPrivate ? AsymmetricKey(privatePEM: text) : AsymmetricKey(publicPEM: text)
      #expect(key?.kind == form.kind && key?.bitCount == form.bitCount && key?.isPrivate == form.isPrivate)
      #expect((form.isPrivate ? AsymmetricKey(publicPEM: text) : AsymmetricKey(privatePEM: text)) == nil)
    }
  }

  @Test(
    "A key that is cut off, lacks a line, is damaged or is encrypted is nil",
    arguments: KeyText.readable + KeyText.encrypted)
  func malformed(_ form: KeyText) throws {
    let lines = form.text.split(separator: "\n").map(String.init)
    let begin = try #require(lines.lastIndex { $0.hasPrefix("-----BEGIN") })
    func isUnreadable(_ lines: some Sequence<String>) -> Bool {
      let text = lines.joined(separator: "\n")
      return (form.isPrivate ? AsymmetricKey(privatePEM: text) : AsymmetricKey(publicPEM: text)) == nil
    }
    for count in 0..<lines.count { #expect(isUnreadable(lines.prefix(count)), "\(count) lines") }
    for place in (begin + 1)..<(lines.count - 1) {
      for change in [[], ["!" + lines[place].dropFirst()]] {
        #expect(isUnreadable(lines[..<place] + change + lines[(place + 1)...]), "line \(place)")
      }
    }
    #expect(form.key == nil || KeyText.readable.contains { $0.testDescription == form.testDescription })
  }

  @Test("A text that is no key is nil, and a key is read only as what it is")
  func unreadable() {
    for text in ["", "x", "-----BEGIN PRIVATE KEY-----", String(repeating: "\n", count: 20_000)] {
      #expect(AsymmetricKey(privatePEM: text) == nil)
      #expect(AsymmetricKey(publicPEM: text) == nil)
    }
    #expect(AsymmetricKey(privatePEM: Self.publicPEM) == nil)
    #expect(AsymmetricKey(publicPEM: Self.privatePEM) == nil)
  }

  @Test("C8: No text or dump of a key reveals it")
  func secrecy() throws {
    let key = try #require(AsymmetricKey(privatePEM: Self.privatePEM))
    var dumped = ""
    dump(key, to: &dumped)
    #expect("\(key) \(String(reflecting: key))" == "(key) (key)")
    #expect(!dumped.contains("0x"))
  }
}
