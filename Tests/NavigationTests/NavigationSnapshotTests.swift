import Foundation
import MediationFixtures
import Navigation
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct NavigationSnapshotTests {
  private func sample() throws -> NavigationSnapshot {
    try NavigationSnapshot(
      tabs: [
        .init(
          name: "search",
          stack: [.init(name: "estate://home/1", url: "estate://home/1"), .init(name: "Edit", url: nil)]),
        .init(name: "mine", stack: []),
      ],
      selectedTab: "mine", modals: [[.init(name: "WebPage", url: "https://news.example/?q=1")]])
  }

  private func decode(_ text: String) throws -> NavigationSnapshot {
    try JSONDecoder().decode(NavigationSnapshot.self, from: Data(text.utf8))
  }

  @Test("An encoded snapshot is decoded unchanged, with its version")
  func roundTrip() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = try encoder.encode(sample())
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"modals":[[{"name":"WebPage","url":"https://news.example/?q=1"}]],"selectedTab":"mine","tabs":["#
        + #"{"name":"search","stack":[{"url":"estate://home/1"},{"name":"Edit"}]},{"name":"mine","stack":[]}],"#
        + #""version":1}"#)
    #expect(try JSONDecoder().decode(NavigationSnapshot.self, from: bytes) == sample())
  }

  @Test("Another version is refused with both version numbers")
  func otherVersion() {
    let error = #expect(throws: NavigationSnapshot.FormatError.version(2, known: 1)) {
      try decode(#"{"version":2,"screens":[]}"#)
    }
    #expect(error?.description.contains("discard it") == true)
  }

  @Test(
    "Garbage is a typed error",
    arguments: [
      "", "null", "[]", "{}", #"{"version":1}"#, #"{"version":"1","tabs":[],"modals":[]}"#,
      #"{"version":1,"tabs":{},"modals":[]}"#, #"{"version":1,"tabs":[{"name":1,"stack":[]}],"modals":[]}"#,
      #"{"version":1,"tabs":[{"name":"a","stack":[{}]}],"modals":[]}"#,
      #"{"version":1,"tabs":[],"modals":[{}]}"#, #"{"version":1,"tabs":[],"modals":[[[]]]}"#,
      #"{"version":9223372036854775808,"tabs":[],"modals":[]}"#,
    ])
  func garbage(text: String) { #expect(throws: DecodingError.self) { try decode(text) } }

  @Test("Values beyond the limits are refused while decoding")
  func limits() throws {
    func list(_ element: String, _ count: Int) -> String {
      "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
    }
    let entry = #"{"url":"estate://home/1"}"#
    #expect(throws: NavigationSnapshot.FormatError.tooMany("entries", limit: 1_000)) {
      try decode(#"{"version":1,"tabs":[{"name":"","stack":\#(list(entry, 1_001))}],"modals":[]}"#)
    }
    #expect(throws: NavigationSnapshot.FormatError.tooMany("entries", limit: 1_000)) {
      try decode(#"{"version":1,"tabs":[],"modals":[\#(list(entry, 600)),\#(list(entry, 600))]}"#)
    }
    #expect(throws: NavigationSnapshot.FormatError.tooMany("stacks", limit: 100)) {
      try decode(#"{"version":1,"tabs":[],"modals":\#(list("[]", 100_000))}"#)
    }
    #expect(throws: NavigationSnapshot.FormatError.tooLong(limit: 8_192)) {
      let url = "estate://home/" + String(repeating: "1", count: 8_192)
      return try decode(#"{"version":1,"tabs":[{"name":"","stack":[{"url":"\#(url)"}]}],"modals":[]}"#)
    }
    #expect(throws: NavigationSnapshot.FormatError.repeatedTab("a")) {
      let tab = #"{"name":"a","stack":[]}"#
      return try decode(#"{"version":1,"tabs":[\#(tab),\#(tab)],"modals":[]}"#)
    }
  }

  @Test("20,000 mutations of an encoded snapshot each give a value or a typed error")
  func mutations() throws {
    var generator = SeededRandom(seed: 7)
    let original = Array(try JSONEncoder().encode(sample()))
    var (read, refused) = (0, 0)
    for _ in 0..<20_000 {
      var bytes = original
      for _ in 0...generator.below(4) {
        let index = generator.below(bytes.count)
        switch generator.below(4) {
        case 0: bytes[index] = UInt8(generator.below(256))
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(bytes[generator.below(bytes.count)], at: index)
        default: bytes.removeSubrange(index..<min(bytes.count, index + 12))
        }
        if bytes.isEmpty { break }
      }
      do {
        let value = try JSONDecoder().decode(NavigationSnapshot.self, from: Data(bytes))
        #expect(value.tabs.count <= 100)
        read += 1
      } catch {
        #expect(error is DecodingError || error is NavigationSnapshot.FormatError, "\(error)")
        refused += 1
      }
    }
    #expect(read > 100 && refused > 5_000)
  }
}
