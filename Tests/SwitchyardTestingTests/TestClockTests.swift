import SwitchyardTesting
import Testing

@Suite("TestClock", .timeLimit(.minutes(5)))
struct TestClockTests {
  @Test("Advancing resumes only the tasks whose deadline is reached")
  func waking() async throws {
    let clock = TestClock()
    async let short: Void = clock.sleep(until: clock.now.advanced(by: .seconds(1)))
    let long = Task<Void, any Error> { try await clock.sleep(until: clock.now.advanced(by: .seconds(10))) }
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    try await short
    #expect(clock.now.offset == .seconds(1))
    try await clock.waitForSleepers(1)
    clock.advance(by: .seconds(9))
    try await long.value
  }

  @Test("Advancing to the next deadline resumes its task, and does nothing until that runs")
  @MainActor func nextDeadline() async throws {
    let clock = TestClock()
    clock.advanceToNextDeadline()
    #expect(clock.now.offset == .zero)
    let start = clock.now
    // Tasks of the main actor don't run before this one waits.
    let short = Task { try await clock.sleep(until: start.advanced(by: .seconds(1))) }
    let long = Task { try await clock.sleep(until: start.advanced(by: .seconds(10))) }
    try await clock.waitForSleepers(2)
    for _ in 1...2 { clock.advanceToNextDeadline() }
    #expect(clock.now.offset == .seconds(1))
    try await short.value
    clock.advanceToNextDeadline()
    #expect(clock.now.offset == .seconds(10))
    try await long.value
  }

  @Test("A cancelled task stops sleeping with a CancellationError")
  func cancelling() async throws {
    let clock = TestClock()
    let task = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
    try await clock.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A task that is already cancelled does not sleep")
  func cancelledBefore() async {
    let clock = TestClock()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
