import Observation
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

  @Test("J3: A screen observes the status on the main actor, and is notified once for several changes")
  @MainActor func observing() async throws {
    let state = ReachabilityState(.online)
    let notified = WaitableValue(0)
    let shown = withObservationTracking {
      state.state
    } onChange: {
      MainActor.assertIsolated()
      notified.update { $0 += 1 }
    }
    #expect(shown == .online)
    for status in [NetworkStatus.offline, .unknown, .offline] { state.update(status) }
    // A screen that is being drawn reads one value.
    #expect(state.state == .online && state.status == .offline && notified.value == 0)
    try await waitUntil("the latest status is shown") { state.state == .offline }
    #expect(notified.value == 1)
    let setter = Task.detached {
      for _ in 0..<100 { for status in [NetworkStatus.online, .unknown] { state.update(status) } }
    }
    await setter.value
    try await waitUntil("the latest status is shown") { state.state == .unknown }
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
