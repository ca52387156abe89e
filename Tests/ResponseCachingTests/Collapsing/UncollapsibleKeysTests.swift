import Testing

@testable import ResponseCaching

@Suite struct UncollapsibleKeysTests {
  @Test("A key stays until it is removed or another one takes its place")
  func places() {
    var keys = UncollapsibleKeys()
    #expect(!keys.contains(5))
    keys.remove(5)
    keys.insert(5)
    keys.insert(6)
    #expect(keys.contains(5) && keys.contains(6) && !keys.contains(5 + 256))
    keys.remove(5 + 256)
    #expect(keys.contains(5))
    keys.insert(5 + 256)
    #expect(!keys.contains(5) && keys.contains(5 + 256))
    keys.remove(5 + 256)
    #expect(!keys.contains(5 + 256) && keys.contains(6))
    keys.insert(.max)
    #expect(keys.contains(.max) && !keys.contains(0))
  }
}
