import Foundation
import MediationFixtures
import SwitchyardTesting
import Testing

@testable import Navigation

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

  private static func entry(_ number: Int, url: String? = nil) -> NavigationEntry {
    NavigationEntry(id: EntryID(number), name: url ?? "\(number)", url: url ?? "estate://home/\(number)")
  }

  /// A state with stacks of these lengths, numbered from 1.
  private static func state(tabs: [Int], modals: [Int], selected: Int = 0) throws -> NavigationState {
    var number = 0
    func stack(_ count: Int) -> [NavigationEntry] {
      (0..<count).map { _ in
        number += 1
        return entry(number)
      }
    }
    var state = try NavigationState(tabs: tabs.indices.map { "tab\($0)" }, limit: 1_000_000)
    for (index, count) in tabs.enumerated() { state.tabs[index].stack = stack(count) }
    state.modals = modals.map(stack)
    state.selectedIndex = selected
    return state
  }

  @Test(
    "Of any navigation a snapshot is taken that is decoded unchanged, and omits no more than it must",
    arguments: [
      ([3], [], 0), ([1_000], [], 0), ([1_001], [], 1), ([1_200], [], 200), ([600, 600], [], 200),
      ([1], Array(repeating: 1, count: 100), 0), ([1], Array(repeating: 1, count: 120), 20),
      (Array(repeating: 1, count: 130), [], 30), ([10_000, 1], [2], 9_003),
      (Array(repeating: 20, count: 110), Array(repeating: 20, count: 110), 3_400),
    ])
  func anySize(_ tabs: [Int], _ modals: [Int], _ omitted: Int) throws {
    let state = try Self.state(tabs: tabs, modals: modals, selected: tabs.count - 1)
    let snapshot = NavigationSnapshot(state, awaited: [])
    let kept = (snapshot.tabs.map(\.stack) + snapshot.modals).reduce(0) { $0 + $1.count }
    #expect(state.count - kept == omitted && snapshot.count == kept)
    let bytes = try JSONEncoder().encode(snapshot)
    #expect(try JSONDecoder().decode(NavigationSnapshot.self, from: bytes) == snapshot)
    #expect(snapshot.selectedTab == state.selectedTab)
    // What the user sees, and the way back to the start.
    #expect((snapshot.modals.last ?? snapshot.tabs.last?.stack)?.last?.name == state.top?.name)
    #expect(snapshot.tabs.last?.stack.first?.name == state.tabs.last?.stack.first?.name)
    #expect((snapshot.tabs.map(\.stack) + snapshot.modals).allSatisfy { !$0.isEmpty })
  }

  @Test("Texts that are too long to be decoded are cut or left out")
  func longTexts() throws {
    let long = String(repeating: "e\u{301}", count: 4_096)
    let tall = "e" + String(repeating: "\u{301}", count: 8_192)
    var state = try NavigationState(tabs: ["a", long], limit: 10)
    state.tabs[0].stack = [Self.entry(1, url: "estate://" + long), Self.entry(2, url: tall), Self.entry(3)]
    state.tabs[1].stack = [Self.entry(4)]
    state.selectedIndex = 1
    let snapshot = NavigationSnapshot(state, awaited: [])
    let bytes = try JSONEncoder().encode(snapshot)
    #expect(try JSONDecoder().decode(NavigationSnapshot.self, from: bytes) == snapshot)
    #expect(snapshot.tabs.map(\.name) == ["a"] && snapshot.selectedTab == nil)
    #expect(snapshot.tabs[0].stack.map(\.url) == [nil, nil, "estate://home/3"])
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
