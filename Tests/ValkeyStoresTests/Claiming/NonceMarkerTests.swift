import Testing

@testable import ValkeyStores

@Suite struct NonceMarkerTests {
  @Test("A marker is parsed from its text, and its time is rounded up")
  func parsing() {
    let marker = NonceMarker(runID: "0a1b", now: 1_700_000_000)
    #expect(marker.text == "0a1b 1700000001")
    #expect(NonceMarker(Array(marker.text.utf8)) == marker)
  }

  @Test(
    "Any other text is refused",
    arguments: [
      "", " ", "0a", "0a ", " 5", "0a x", "0a +5", "0a 05", "0a 5 6", "0a 5\n", "0a 99999999999999999999",
    ])
  func malformed(_ text: String) {
    #expect(NonceMarker(Array(text.utf8)) == nil)
  }
}
