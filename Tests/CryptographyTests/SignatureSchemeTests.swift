import Testing

@testable import Cryptography

@Suite struct SignatureSchemeTests {
  private static let keys: [SignatureScheme: (private: KeyText, public: KeyText)] = [
    .ed25519: (.ed25519, .ed25519Public),
    .ecdsaP256SHA256: (.p256, .p256Public),
    .rsaPSSSHA512: (.rsaPSS, .rsaPSSPublic),
    .rsaPKCS1SHA1: (.rsa, .rsaPublic),
    .rsaPKCS1SHA256: (.rsaOlder, .rsaOlderPublic),
    .rsaPKCS1SHA512: (.rsa, .rsaPublic),
  ]

  @Test(
    "What a scheme signs it verifies, and nothing else; a scheme that the library lacks is unsupported",
    arguments: SignatureScheme.allCases, [0, 1, 64, 100_000])
  func schemes(_ scheme: SignatureScheme, _ count: Int) throws {
    let texts = try #require(Self.keys[scheme])
    let key = try #require(texts.private.key)
    let publicKey = try #require(texts.public.key)
    #expect(scheme.accepts(key.kind) && scheme.accepts(publicKey.kind))
    let message = [UInt8](repeating: 7, count: count)
    guard scheme.isSupported else {
      for attempt in [{ try scheme.requireSupport() }, { _ = try key.sign(message, with: scheme) }] {
        let error = #expect(throws: CryptographyError.self) { try attempt() }
        #expect(error?.reason == .unsupported)
        #expect(error?.description.contains("has no RSA; use another algorithm") == true)
      }
      #expect(throws: CryptographyError(operation: "RSA")) {
        try publicKey.verifies([], of: message, with: scheme)
      }
      return
    }
    let signature = try key.sign(message, with: scheme)
    for verifier in [key, publicKey] {
      #expect(try verifier.verifies(signature, of: message, with: scheme))
      #expect(try !verifier.verifies(signature, of: message + [0], with: scheme))
      for place in [0, signature.count / 2, signature.count - 1] {
        var changed = signature
        changed[place] ^= 1
        #expect(try !verifier.verifies(changed, of: message, with: scheme), "byte \(place)")
      }
      for other in [[], Array(signature.dropLast()), signature + [0], [UInt8](repeating: 0, count: 64)] {
        #expect(try !verifier.verifies(other, of: message, with: scheme), "\(other.count) bytes")
      }
    }
  }

  @Test(
    "What either library has signed is accepted by the one in use, for that message alone",
    arguments: [
      (
        .ed25519, .ed25519Public,
        "ca566727c1e6521f10cfdf4a423fedb4c8c28ba6cbb92b47f1e3acb05bcd951a"
          + "15aa130fc90a2adacc2adf42065fe8a28852c636af18e8f3103104dc5750ed04"
      ),
      // By OpenSSL.
      (
        .ecdsaP256SHA256, .p256Public,
        "d0f59389a3a1f9003986277c7552794dbb5702d73cfc3e8549c65041f040e8dc"
          + "1c5629d087b6537021d9a26c17094b0f88f6c238a0f8592190596dbe1be31a00"
      ),
      // By swift-crypto.
      (
        .ecdsaP256SHA256, .p256Compressed,
        "22ac9faec949c11ae5dfb106fab236ad2aa0ea0e9c3a4415ae136d075349a6e1"
          + "524d91164ee23f467dede6c9c536fd12e78fe3255270c742c58e11966afa8001"
      ),
    ] as [(SignatureScheme, KeyText, String)])
  func exchange(_ scheme: SignatureScheme, _ text: KeyText, _ signature: String) throws {
    let key = try #require(text.key)
    let message = Array("What one signs, the other accepts.".utf8)
    let bytes = try #require(Hexadecimal.decode(signature, count: 64))
    #expect(try key.verifies(bytes, of: message, with: scheme))
    #expect(try !key.verifies(bytes, of: message + [0], with: scheme))
  }

  @Test("Threads can share a key, and signatures of PKCS #1 v1.5 equal those of the openssl command")
  func signatures() async throws {
    let key = try #require(AsymmetricKey(privatePEM: Self.key))
    let expected: [(SignatureScheme, String)] = [
      (
        .rsaPKCS1SHA1,
        "a0355fbdfd7f5f04d3fea771a7f73d9ad20c3e3a4da9f689e52b40cd4db2d4e44d1be3dbea32bada75277eac37f3e7b1e57a7ac0c98a013e1e0f5f810999c344870a6805706087b2e4e7581ce09a76bcf7b03b1979683d06c41deebbd2fd1a7feb62e32448a1126a52a2789b514ff29ac7b2a55cd2fa3f147ceb412b9d66b492"
      ),
      (
        .rsaPKCS1SHA256,
        "9569550c2d6fda190a5f4d1b2b594b0e17844a5c89fbb9493d69d7a38fc4390b4b270589f1a8b99c7c8552ab3f40f60aba35268c457aa1aa75275843ddbea6b597bd37815eac13857fee41f580d41ed0f4bfb4a3a435399a6d596353e88704e61da6b29b0e5cd4424818dabe5e101ae5548782851fa818dfd1fa675ab0e4a868"
      ),
      (
        .rsaPKCS1SHA512,
        "0a01a2f88b68378ec1bbc8fc1e42282b2ebddac2819699d5d9e704d3f8533a21d2bd4c3ae6a78b90b7db99ff72b67fbc210a6544a12d649947c2f38189659527815a331e0d0c4955495d3db4f9d2905a95880435df2b5a19a4b53b44c8e8f54a5e424e4d79739c4864ccca4f87fe8f08429a0dfce8604feed1ed7976a8bb433a"
      ),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (scheme, signature) in expected {
        for _ in 0..<20 {
          group.addTask {
            guard scheme.isSupported else {
              #expect(throws: CryptographyError(operation: "RSA")) { try key.sign([1], with: scheme) }
              return
            }
            let own = try key.sign(Array("hello".utf8), with: scheme)
            #expect(Hexadecimal.encode(own) == signature)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBAMPXn3F8r4cruKn4
    w3Z5FG2SKvFhUI+eswhPOw5z7KAZvYOBQMzHNeZ2KonuQd6Iqvaa8qHSzoXMV0M/
    RkMtbOPjeE5UXIha74sXTtnnxXy8m9fA685fpXXv0ewno59QyEzaMW3J0J8W1KEI
    52MoR/JMJ9HW7NREKRi44tcLgfDnAgMBAAECgYBAhEo8gsz4hMjDBfauktjN9/c5
    qct2ZNuqAx/7dOkhHRm3tt74FzCEia0d32XHv9JCh20jLmVm4phkyPWGr/JM1IJc
    Fp0nbbuaff6RC7cq0BfuusbZYZ1uPy8f7UO+8NeRzvb8JOO01mVc/5OMDUVeCVaF
    TsF0HTfhhARN0AC1YQJBAPlhju6c2sQm6mLaKJC8khlXNWrZ8rVHLoAg5L3Y18je
    OxfYHDeOfVpz1E2kDq3THfl6AYGLIIgufkZYVyTLqnkCQQDJCkpUinY6eVK8XS3c
    yHo9KuTY9MIeiXEAN1wFyooyoVo5k7Dn5NFXhGcUSA26TZ0PND6jm3wFQeGFg9Bo
    r55fAkEAyY+qoP2ybBwwEZnWc7WWOFkeWbCy1QYldXYgq7laH4ZPKOSJWfYXJ0a7
    b82L977NWVjdYsD6mFdLxLueI6VhsQJBAKL4s47a+8KlLTvDcXVEE0vYpNF3gJGO
    q0sYlYGgUe1/PYvlPQiPRmDi1UjsrCw11LdJi+nHFn+Qi4hXdbAXhZMCQB6PPVQi
    V3mdY5MmCAg/xfvLu/+BL5SDmB7tjMGFVCVf/ORh5ffgK1KIwmF73une/zbDcAjS
    C6jGrN1DBUQjZ/k=
    -----END PRIVATE KEY-----
    """
}
