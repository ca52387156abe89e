import Testing

@testable import CookieKeeping

@Suite struct CookieRemovalsTests {
  @Test("A removal concerns its partition, and what was sent before it")
  func partitions() {
    var removals = CookieRemovals()
    #expect(!removals.contain("north", since: removals.mark))
    removals.note("north")
    #expect(removals.contain("north", since: 0) && !removals.contain("south", since: 0))
    #expect(!removals.contain("north", since: removals.mark))
    let sent = removals.mark
    removals.note("south")
    #expect(!removals.contain("north", since: sent) && removals.contain("south", since: sent))
    removals.noteAll()
    #expect(removals.contain("north", since: sent) && removals.contain("other", since: sent))
    #expect(!removals.contain("north", since: removals.mark))
  }

  @Test("The number of partitions is bounded; a request from before a forgotten one loses its cookies")
  func bounded() {
    var removals = CookieRemovals()
    for number in 0..<1_000 {
      removals.note("\(number)")
      #expect(removals.count <= CookieRemovals.capacity)
      #expect(removals.contain("\(number)", since: removals.mark - 1))
    }
    #expect(removals.contain("0", since: 0) && removals.contain("never removed", since: 0))
    #expect(!removals.contain("0", since: removals.mark - 1))
  }
}
