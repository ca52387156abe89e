import SwitchyardTesting
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
  func readers() async throws {
    let state = ReachabilityState()
    let first = Task { await state.changes.first { $0 == .online } }
    let second = Task { await state.changes.first { $0 == .offline } }
    try await waitUntil("both readers listen") { state.listenerCount == 2 }
    state.update(.online)
    #expect(await first.value == .online)
    try await waitUntil("one reader listens") { state.listenerCount == 1 }
    state.update(.offline)
    #expect(await second.value == .offline)
    try await waitUntil("no reader listens") { state.listenerCount == 0 }
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
