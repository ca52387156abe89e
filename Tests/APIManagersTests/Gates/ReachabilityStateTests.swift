import Testing

@testable import APIManagers

@Suite(.timeLimit(.minutes(5))) struct ReachabilityStateTests {
  @Test("E13: A reader of the changes receives the current status, then each change without repetitions")
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

  @Test("A slow reader receives only the latest status")
  func slowReader() async {
    let state = ReachabilityState(.online)
    var changes = state.changes.makeAsyncIterator()
    state.update(.offline)
    state.update(.unknown)
    #expect(await changes.next() == .unknown)
  }

  @Test("Each reader has its own stream, which is removed when it ends")
  func readers() async {
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

  @Test("The changes end when the state is released")
  func ending() async {
    var state: ReachabilityState? = ReachabilityState()
    var changes = state?.changes.makeAsyncIterator()
    #expect(await changes?.next() == .unknown)
    state = nil
    #expect(await changes?.next() == nil)
  }
}
