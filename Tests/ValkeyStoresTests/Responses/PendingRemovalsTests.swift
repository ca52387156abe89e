import Testing

@testable import ValkeyStores

@Suite struct PendingRemovalsTests {
  @Test("A removal is pending until it is confirmed")
  func confirmation() {
    var removals = PendingRemovals()
    #expect(removals.batch.names == [])
    removals.add(["b", "a"], all: "all")
    let batch = removals.batch
    #expect(batch.names == ["a", "b"])
    removals.confirm(batch.names, upTo: batch.mark)
    #expect(removals.batch.names == [])
  }

  @Test("A removal that is added again while it is sent remains pending")
  func addedAgain() {
    var removals = PendingRemovals()
    removals.add(["a", "b"], all: "all")
    let batch = removals.batch
    removals.add(["a"], all: "all")
    removals.confirm(batch.names, upTo: batch.mark)
    #expect(removals.batch.names == ["a"])
  }

  @Test("Too many pending removals become one of all responses")
  func overflow() {
    var removals = PendingRemovals()
    for number in 0..<PendingRemovals.maximumCount { removals.add(["\(number)"], all: "all") }
    #expect(removals.batch.names.count == PendingRemovals.maximumCount)
    removals.add(["one more"], all: "all")
    #expect(removals.batch.names == ["all"])
  }
}
