import EmbeddedSecrets
import Interception
import Testing

@testable import MessageSignatures

@Suite struct MessageKeyTests {
  @Test("A key of the wrong kind is refused when it is created")
  func wrongKind() throws {
    let pem = TestKeys.ed25519Private
    for algorithm in SignatureAlgorithm.allCases where algorithm != .ed25519 {
      #expect(throws: MessageKeyError(.wrongKind(id: "k", algorithm: algorithm, kind: "Ed25519"))) {
        try MessageKey(id: "k", algorithm: algorithm, privateKeyPEM: pem)
      }
    }
    #expect(try MessageKey(id: "k", algorithm: .ed25519, privateKeyPEM: pem).canSign)
  }

  @Test(
    "A text that is no key in PEM is refused",
    arguments: [
      "", "secret", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      String(repeating: "A", count: 1 << 20), TestKeys.ed25519Public, TestKeys.encryptedPrivate,
    ])
  func unreadable(_ text: String) {
    #expect(throws: MessageKeyError(.unreadableKey(id: "k"))) {
      try MessageKey(id: "k", algorithm: .ed25519, privateKeyPEM: text)
    }
  }

  @Test("A short secret, a short RSA key and an illegal id are refused")
  func unsafe() throws {
    #expect(throws: MessageKeyError(.shortSecret(id: "k", count: 15, atLeast: 16))) {
      try MessageKey(id: "k", sharedSecret: [UInt8](repeating: 1, count: 15))
    }
    #expect(throws: MessageKeyError(.shortKey(id: "k", bits: 1024, atLeast: 2048))) {
      try MessageKey(id: "k", algorithm: .rsaPSSSHA512, publicKeyPEM: TestKeys.shortRSAPublic)
    }
    for id in ["", "café", "a\nb", String(repeating: "x", count: 257)] {
      #expect(throws: MessageKeyError(.illegalID)) {
        try MessageKey(id: id, sharedSecret: [UInt8](repeating: 1, count: 32))
      }
    }
  }

  @Test("A key with an embedded secret signs as one with the same bytes does", arguments: [16, 64, 65])
  func embedded(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let secret = EmbeddedSecret(shares: bytes.map { $0 ^ 0xA5 }, bytes.map { _ in 0xA5 })
    let signature = try MessageKey(id: "k", sharedSecret: secret).sign([1, 2, 3])
    #expect(try MessageKey(id: "k", sharedSecret: bytes).verifies(signature, of: [1, 2, 3]))
    #expect(throws: MessageKeyError(.shortSecret(id: "k", count: 3, atLeast: 16))) {
      try MessageKey(id: "k", sharedSecret: EmbeddedSecret(shares: [1, 2, 3]))
    }
  }

  @Test("A public key verifies, but can't sign")
  func publicKey() throws {
    let privateKey = try MessageKey(id: "k", algorithm: .ed25519, privateKeyPEM: TestKeys.ed25519Private)
    let publicKey = try MessageKey(id: "k", algorithm: .ed25519, publicKeyPEM: TestKeys.ed25519Public)
    let signature = try privateKey.sign([1, 2, 3])
    #expect(try publicKey.verifies(signature, of: [1, 2, 3]))
    #expect(try !publicKey.verifies(signature, of: [1, 2, 4]))
    #expect(try !publicKey.verifies(Array(signature.dropLast()), of: [1, 2, 3]))
    #expect(!publicKey.canSign)
    #expect(throws: MessageSignatureError(.publicKey(id: "k"))) { try publicKey.sign([1]) }
  }

  @Test("C8: No text, dump or error of a message key reveals it")
  func secrecy() throws {
    let secret = Array("correct horse battery staple".utf8)
    let keys = [
      try MessageKey(id: "k", sharedSecret: secret),
      try MessageKey(id: "k", algorithm: .ed25519, privateKeyPEM: TestKeys.ed25519Private),
    ]
    for key in keys {
      var dumped = ""
      dump(key, to: &dumped)
      dump(MessageKeys(key), to: &dumped)
      for text in [dumped, "\(key)", String(reflecting: key), "\(MessageKeys(key))"] {
        #expect(!text.contains("horse"))
        #expect(!text.contains("PRIVATE KEY"))
        #expect(!text.contains("\(secret)"))
        // A dump writes each element of an array on its own line.
        #expect(!text.filter { !$0.isWhitespace }.contains(secret.prefix(4).map { "-\($0)" }.joined()))
      }
    }
    #expect("\(keys[0])" == "MessageKey(k, hmac-sha256)")
    #expect {
      try MessageKey(id: "k", algorithm: .ed25519, privateKeyPEM: "s3cret")
    } throws: { error in
      !"\(error) \(String(reflecting: error))".contains("s3cret")
    }
  }

  @Test("A fixed set signs with its current key and accepts the others")
  func keys() async throws {
    let current = try MessageKey(id: "new", sharedSecret: [UInt8](repeating: 1, count: 32))
    let former = try MessageKey(id: "old", sharedSecret: [UInt8](repeating: 2, count: 32))
    let keys = MessageKeys(current, accepting: [former])
    #expect(try await keys.messageKey(for: Request(authority: "a", path: "/"))?.id == "new")
    #expect(keys.messageKey(id: "old")?.id == "old")
    #expect(keys.messageKey(id: "other") == nil)
  }
}
