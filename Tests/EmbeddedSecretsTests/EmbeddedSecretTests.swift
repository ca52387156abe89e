import EmbeddedSecrets
import Testing

@Suite struct EmbeddedSecretTests {
  private struct Refusal: Error {}

  @Test(
    "Shares give the secret by exclusive or, and a shorter one counts as if zeros followed",
    arguments: [
      ([], []), ([[]], []), ([[1, 2]], [1, 2]), ([[0xF0, 0x0F], [0xFF, 0xFF]], [0x0F, 0xF0]),
      ([[1, 2, 3], [1], [0, 2]], [0, 0, 3]),
    ] as [([[UInt8]], [UInt8])])
  func joining(shares: [[UInt8]], secret: [UInt8]) {
    // Variadic parameters take no array.
    let value =
      switch shares.count {
      case 0: EmbeddedSecret(shares: [])
      case 1: EmbeddedSecret(shares: shares[0])
      case 2: EmbeddedSecret(shares: shares[0], shares[1])
      default: EmbeddedSecret(shares: shares[0], shares[1], shares[2])
      }
    #expect(value.withBytes { bytes in bytes.indices.map { bytes[$0] } } == secret)
    #expect(value.withArray { $0 } == secret)
    #expect(value.count == secret.count)
  }

  @Test("The memory of the joined secret holds zeros when the closure has returned or thrown")
  func wiping() throws {
    let secret = EmbeddedSecret(shares: [0xF0, 0x0F, 7], [0x0F, 0xF0, 8])
    func address(_ bytes: [UInt8]) -> UInt { bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
    for fails in [false, true] {
      var memory: [UInt8] = [9, 9, 9]
      var seen: (bytes: [UInt8], address: UInt)?
      do {
        try secret.withArray(joinedIn: &memory) { bytes in
          seen = (bytes.map { $0 }, address(bytes))
          if fails { throw Refusal() }
        }
        #expect(!fails)
      } catch { #expect(fails && error is Refusal) }
      #expect(seen?.bytes == [0xFF, 0xFF, 15])
      // The bytes that the closure saw are those that were overwritten, and no copy.
      #expect(seen?.address == address(memory))
      #expect(memory == [0, 0, 0])
    }
  }

  @Test("An error of the closure keeps its type")
  func errors() {
    func fail() throws(Refusal) {
      try EmbeddedSecret(shares: [1]).withBytes { _ throws(Refusal) in throw Refusal() }
    }
    #expect(throws: Refusal.self) { try fail() }
  }

  @Test("C8: No text, dump or mirror reveals a secret or its shares")
  func secrecy() {
    let secret = EmbeddedSecret(shares: Array("correct horse".utf8), [])
    var dumped = ""
    dump(secret, to: &dumped)
    let texts = [
      dumped, "\(secret)", String(reflecting: secret), "\(Mirror(reflecting: secret))",
      "\([secret])", "\(Mirror(reflecting: secret).children.map { $0 })",
    ]
    for text in texts {
      #expect(!text.contains("correct") && !text.contains("99") && !text.contains("shares"), "\(text)")
    }
  }
}
