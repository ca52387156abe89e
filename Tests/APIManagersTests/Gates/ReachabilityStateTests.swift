import Testing

@testable import APIManagers

@Suite(.timeLimit(.minutes(5))) struct ReachabilityStateTests {
  @Test("E13: a reader of the changes gets what is known, then each change, and no repetition")
  func changes() async {
    let state = ReachabilityState()
    var changes = state.changes.makeAsyncIterator()
    #expect(await changes.next() == .unknown)
    state.update(.offline)
    #expect(await changes.next() == .offline)
    state.update(.offline)
    state.update(.online)
    #expect(await changes.next() == .online)
    #expect(state.status == .online)
  }

  @Test func `a reader that falls behind gets the latest`() async {
    let state = ReachabilityState(.online)
    var changes = state.changes.makeAsyncIterator()
    state.update(.offline)
    state.update(.unknown)
    #expect(await changes.next() == .unknown)
  }

  @Test func `each reader has its own changes, and one that ends is forgotten`() async {
    let state = ReachabilityState()
    let first = Task { await state.changes.first { $0 == .online } }
    let second = Task { await state.changes.first { $0 == .offline } }
    while state.listenerCount < 2 { await Task.yield() }
    state.update(.online)
    #expect(await first.value == .online)
    while state.listenerCount > 1 { await Task.yield() }
    state.update(.offline)
    #expect(await second.value == .offline)
    while state.listenerCount > 0 { await Task.yield() }
  }

  @Test func `the changes end with the state`() async {
    var state: ReachabilityState? = ReachabilityState()
    var changes = state?.changes.makeAsyncIterator()
    #expect(await changes?.next() == .unknown)
    state = nil
    #expect(await changes?.next() == nil)
  }
}
