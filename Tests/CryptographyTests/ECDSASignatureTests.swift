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
    #expect(signature.der == der)
    #expect(ECDSASignature(der: der)?.bytes == signature.bytes)
  }

  @Test("Large numbers survive both directions")
  func large() throws {
    let signature = try #require(ECDSASignature(bytes: [UInt8](repeating: 0xFF, count: 64)))
    #expect(ECDSASignature(der: signature.der) == signature)
  }

  @Test("Another number of bytes is refused")
  func lengths() {
    #expect(ECDSASignature(bytes: [UInt8](repeating: 1, count: 63)) == nil)
    #expect(ECDSASignature(bytes: []) == nil)
  }

  @Test(
    "DER with another length, tag or spelling of a number is refused",
    arguments: [
      [], [0x30], [0x31, 6, 2, 1, 1, 2, 1, 1], [0x30, 6, 2, 1, 1, 2, 1, 1, 0], [0x30, 5, 2, 1, 1, 2, 1, 1],
      [0x30, 3, 2, 1, 1], [0x30, 6, 2, 1, 1, 3, 1, 1], [0x30, 5, 2, 0, 2, 1, 1], [0x30, 6, 2, 1, 1, 2, 9, 1],
      // Lengths in the long form and of unknown extent.
      [0x30, 0x81, 6, 2, 1, 1, 2, 1, 1], [0x30, 0x80, 2, 1, 1, 2, 1, 1, 0, 0],
      // A negative number, needless zeros, and a number that is too long.
      [0x30, 6, 2, 1, 0x80, 2, 1, 1], [0x30, 7, 2, 2, 0, 1, 2, 1, 1], [0x30, 8, 2, 3, 0, 0, 0x80, 2, 1, 1],
      [0x30, 37, 2, 33] + [UInt8](repeating: 1, count: 33) + [2, 1, 1],
      [0x30, 38, 2, 34, 0] + [UInt8](repeating: 0xFF, count: 33) + [2, 1, 1],
    ] as [[UInt8]])
  func malformed(_ der: [UInt8]) { #expect(ECDSASignature(der: der) == nil) }

  @Test("Zero is one digit in DER")
  func zero() {
    let der: [UInt8] = [0x30, 6, 2, 1, 0, 2, 1, 0x7F]
    #expect(ECDSASignature(der: der)?.bytes == pair(0, 0x7F))
    #expect(ECDSASignature(bytes: pair(0, 0x7F))?.der == der)
  }
}
