import Testing

@testable import Cryptography

@Suite struct KeyAgreementTests {
  private func bytes(_ hexadecimal: String) throws -> [UInt8] {
    try #require(Hexadecimal.decode(hexadecimal, count: 32))
  }

  @Test("Both parties derive the secret of RFC 7748, section 6.1")
  func knownAnswer() throws {
    let alice = try KeyAgreement(
      privateKey: bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"))
    let bob = try KeyAgreement(
      privateKey: bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
    #expect(
      try alice.publicKey == bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
    #expect(
      try bob.publicKey == bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"))
    let secret = try bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
    #expect(try alice.sharedSecret(with: bob.publicKey) == secret)
    #expect(try bob.sharedSecret(with: alice.publicKey) == secret)
  }

  @Test(
    "A public key of a small order is refused, because it would make the secret known",
    arguments: [
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000000",
      "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
      "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
  func smallOrder(_ publicKey: String) throws {
    let key = try KeyAgreement(privateKey: [UInt8](repeating: 7, count: 32))
    #expect(throws: CryptographyError.self) { try key.sharedSecret(with: bytes(publicKey)) }
  }

  @Test("Keys of another length are refused")
  func lengths() throws {
    #expect(throws: CryptographyError.self) { try KeyAgreement(privateKey: [1, 2, 3]) }
    let key = try KeyAgreement(privateKey: [UInt8](repeating: 7, count: 32))
    #expect(throws: CryptographyError.self) { try key.sharedSecret(with: [UInt8](repeating: 9, count: 33)) }
  }
}
