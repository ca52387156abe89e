import Cryptography
import Testing

@Suite struct LengthPrefixedTests {
  @Test("Lists of fields that differ only in a boundary have different bytes")
  func injective() {
    #expect(encoded(["ab", "c"]) != encoded(["a", "bc"]))
    #expect(encoded(["ab"]) != encoded(["ab", ""]))
    #expect(encoded(["x"]) == [0, 0, 0, 0, 0, 0, 0, 1, 120])
  }

  @Test("Any collection of bytes is encoded like an array")
  func collections() {
    var fields = LengthPrefixed()
    fields.append("sea".utf8)
    fields.append(Array("side".utf8)[...])
    #expect(fields.bytes == encoded(["sea", "side"]))
  }

  private func encoded(_ fields: [String]) -> [UInt8] {
    var prefixed = LengthPrefixed()
    for field in fields { prefixed.append(field) }
    return prefixed.bytes
  }
}
