import Testing

@testable import Cryptography

@Suite struct ECDSASignatureTests {
  private func pair(_ r: UInt8, _ s: UInt8) -> [UInt8] {
    [UInt8](repeating: 0, count: 31) + [r] + [UInt8](repeating: 0, count: 31) + [s]
  }

  @Test("Small numbers are padded to 32 bytes, and written without padding in DER")
  func padding() throws {
    let signature = try #require(ECDSASignature(bytes: pair(1, 0x80)))
    let der: [UInt8] = [0x30, 7, 2, 1, 1, 2, 2, 0, 0x80]
    #expect(signature.der() == der)
    #expect(ECDSASignature(der: der)?.bytes == signature.bytes)
  }

  @Test("Large numbers survive both directions")
  func large() throws {
    let signature = try #require(ECDSASignature(bytes: [UInt8](repeating: 0xFF, count: 64)))
    #expect(ECDSASignature(der: try #require(signature.der())) == signature)
  }

  @Test("Another length, text after the end and numbers that are too long are refused")
  func malformed() {
    #expect(ECDSASignature(bytes: [UInt8](repeating: 1, count: 63)) == nil)
    #expect(ECDSASignature(bytes: []) == nil)
    #expect(ECDSASignature(der: []) == nil)
    #expect(ECDSASignature(der: [0x30, 6, 2, 1, 1, 2, 1, 1, 0]) == nil)
    #expect(ECDSASignature(der: [0x30, 37, 2, 33] + [UInt8](repeating: 1, count: 33) + [2, 1, 1]) == nil)
    #expect(ECDSASignature(der: [0x30, 3, 2, 1, 1]) == nil)
  }
}
