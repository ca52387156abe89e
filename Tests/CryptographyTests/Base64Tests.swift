import Foundation
import SwitchyardTesting
import Testing

@testable import Cryptography

@Suite struct Base64Tests {
  private func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    Base64.encode(bytes, to: &text)
    return text
  }

  @Test("Bytes of every length are encoded as Foundation does, and decoded again")
  func roundTrip() {
    var random = SeededRandom(seed: 7)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(encoded(bytes) == Array(Data(bytes).base64EncodedString().utf8))
      #expect(Base64.decode(encoded(bytes)[...]) == bytes)
    }
  }

  @Test("Base 64 equals Foundation's, for every length and random bytes")
  func base64() {
    var random = SeededRandom(seed: 1)
    for count in 0...70 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
    }
  }

  @Test(
    "A text that is not canonical is refused",
    arguments: ["A", "AA", "AAA", "A===", "AB==", "AAB=", "AA=A", "AA==AAAA", "AA-_", "AA A", "====", "=AAA"])
  func strictness(_ text: String) { #expect(Base64.decode(Array(text.utf8)[...]) == nil) }
}
