import Testing

@testable import Cryptography

@Suite struct RSASigningKeyTests {
  @Test("Signatures of PKCS #1 v1.5 equal those of the openssl command")
  func signatures() async throws {
    let key = try #require(RSASigningKey(pem: Self.key))
    let expected: [(KeyedHash, String)] = [
      (
        .sha1,
        "a0355fbdfd7f5f04d3fea771a7f73d9ad20c3e3a4da9f689e52b40cd4db2d4e44d1be3dbea32bada75277eac37f3e7b1e57a7ac0c98a013e1e0f5f810999c344870a6805706087b2e4e7581ce09a76bcf7b03b1979683d06c41deebbd2fd1a7feb62e32448a1126a52a2789b514ff29ac7b2a55cd2fa3f147ceb412b9d66b492"
      ),
      (
        .sha256,
        "9569550c2d6fda190a5f4d1b2b594b0e17844a5c89fbb9493d69d7a38fc4390b4b270589f1a8b99c7c8552ab3f40f60aba35268c457aa1aa75275843ddbea6b597bd37815eac13857fee41f580d41ed0f4bfb4a3a435399a6d596353e88704e61da6b29b0e5cd4424818dabe5e101ae5548782851fa818dfd1fa675ab0e4a868"
      ),
      (
        .sha512,
        "0a01a2f88b68378ec1bbc8fc1e42282b2ebddac2819699d5d9e704d3f8533a21d2bd4c3ae6a78b90b7db99ff72b67fbc210a6544a12d649947c2f38189659527815a331e0d0c4955495d3db4f9d2905a95880435df2b5a19a4b53b44c8e8f54a5e424e4d79739c4864ccca4f87fe8f08429a0dfce8604feed1ed7976a8bb433a"
      ),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (hash, signature) in expected {
        for _ in 0..<20 {
          group.addTask {
            let own = try key.signature(of: Array("hello".utf8), with: hash)
            #expect(Hexadecimal.encode(own) == signature)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(
    "An encrypted, a small, a foreign and a malformed key are refused, without a question on the terminal",
    .timeLimit(.minutes(5)),
    arguments: [
      encrypted, small, elliptic, "", "x", String(key.prefix(200)), String(repeating: "a", count: 70_000),
    ])
  func refused(_ pem: String) {
    #expect(RSASigningKey(pem: pem) == nil)
  }

  @Test("No text or dump of a key reveals anything")
  func secrecy() throws {
    let key = try #require(RSASigningKey(pem: Self.key))
    var dumped = ""
    dump(key, to: &dumped)
    #expect("\(key) \(String(reflecting: key)) \(dumped)".contains("0x") == false)
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

  private static let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIIC3TBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIOtKiE6OSadcCAggA
    MAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAECBBDn7YpyqIZwxHW2OpxLbgyOBIIC
    gBBM+/JTyOJA84vZEu+MEisX0+WC0G2J0cq61LUSpMJ0ZC2rjgFInU0hKZGelxOS
    J1Glvb0JzTUnEsR7WwPt+Ww+HDegAFqpnWniYQxqTxwmQsjlkHbeaDzfXFir1/2r
    4NA9iM+KHrJL+3zavKmMa/1ly7CX4Zak7vixYq5nPYmqBhOsJQ0Oeg6GohTYuarU
    MfFhKRxycy9pNlftJ8079AfgxzZPA7ImAi3HNjP38g0K+ls50nLdZwv3wVwK0VZE
    O0Avo5ViVmrdXQIeHB6an9tvfF/Wi6zCy1EMmLfXKvjm068SQvaRe6GV1T3SonAk
    hy48tAo5FL2g5RujBQ+FvpUtx177JG3eHZY3qh+Bq9hbZiQFJRsLRcZaWTgksgQe
    snKr2NZVqXAKBib+9VTM31epWzmOy2exVDSbIU3NT+btIAOyGYgJcAz2Q/JGGBd6
    EYRgvJ2eMX3/bHUldvHYa45AggUnCwGPAFW/ZoHC2EOBQtVN14hS/is2klF5DpOy
    H8nN5B3BKty4rFQDpGGIXei3xrCekV1XxZdbAfhMZ4FcGmo8k4SjZNf4AuvDZafh
    vUFS3wO8V325Jh3q7Fszx6dR6ZvdlAYXuoblsg/0PE7DnEMbipUTfkfs1fy0mYJV
    /bVQjpqGueN/XE2YLGAOVA7+T+4tfwPv28I5X5xKgGJdoq7MIBIX3Hkiq07zWcl6
    cFJCe1Lg7myDOHmVZDzWEMpuGx91ptAC4r4veU/rab4175YiCO92UAV/bCSg5JyS
    4XLy5RFJ8x4jFzjO9HW9afVaAAErBFHGW61BlAM7sSOnngDiZn7NONMKA/MGRbaF
    gG0/p7kQotwAjNwDJm1eC8M=
    -----END ENCRYPTED PRIVATE KEY-----
    """

  private static let small = """
    -----BEGIN PRIVATE KEY-----
    MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEAsXhWyj52DoMTG/Gl
    4eS7Qe14PmRAWI7kHzzvDEC1YC2v3sMSqgqByCIAxwya1H6iYSXTbYH0gypN97XA
    gSC2iwIDAQABAkBBHBFbaccOU/By1Bkz4yMAcQsoeMdStjnjbAuXxzXD7uIupnN7
    bDTl2lVNK05fRtJNi1LyIYrLUzVHc4b5wCohAiEA5rv2zk8uSdezY/nq8t5SPLBq
    y8K9/1O9NRIaLhZ43XUCIQDE50CYqQ5ia7EPSOMu+4bhk6AQ75VbIhMZ5AX5mFzD
    /wIgS0IDvkcVUgCJApMBjzX0nNbt/ogGcMFfdW/yGhY6VgECIQCzB6CQLYZKrqg6
    wYbu/PvStqtfOreOORks/UsBeis+eQIgYrxgg10WyUrX1rPtN/K2aalFNGpzLBwf
    jzMmiHNDjH4=
    -----END PRIVATE KEY-----
    """

  private static let elliptic = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIMmSSBRy1um3zaAt9bixnaBv37ejGgg9Bq3NcMDYeMRToAoGCCqGSM49
    AwEHoUQDQgAExmiehq5MtRWAoOV7jf+/UTCDBaW4MYSkdjltjXMDiDFIrUVxLJgK
    1JkVYd0bk3BKjHK4PpNg4rdDZe+4IOEuQQ==
    -----END EC PRIVATE KEY-----
    """
}
