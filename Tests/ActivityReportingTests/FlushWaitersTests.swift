#if SQLite
import SwitchyardTesting
import Testing

@testable import ActivityReporting

@Suite("FlushWaiters", .timeLimit(.minutes(5))) struct FlushWaitersTests {
  /// A flush that waits already.
  private static func flush(_ waiters: FlushWaiters, for target: Int64) async throws -> Task<Bool, Never> {
    let isWaiting = WaitableValue(false)
    let task = Task { await waiters.wait(for: target) { isWaiting.update { $0 = true } } }
    try await isWaiting.wait { $0 }
    return task
  }

  @Test("What was decided before a flush doesn't end it")
  func later() async throws {
    let waiters = FlushWaiters()
    _ = waiters.open()
    let first = try await Self.flush(waiters, for: 1)
    let mark = waiters.mark
    let second = try await Self.flush(waiters, for: 2)
    waiters.fail(through: mark)
    #expect(await !first.value)
    // All events up to number 1 have gone, or were removed.
    waiters.advance(to: 1)
    let third = try await Self.flush(waiters, for: 3)
    waiters.advance(to: 2)
    #expect(await second.value)
    waiters.fail(through: waiters.mark)
    #expect(await !third.value)
  }

  @Test("The end of a run ends all of its flushes, and a flush without a run fails at once")
  func closed() async throws {
    let waiters = FlushWaiters()
    #expect(await !waiters.wait(for: 1) {})
    let (former, run) = (waiters.open(), waiters.open())
    let flush = try await Self.flush(waiters, for: 1)
    waiters.close(former)
    waiters.close(run)
    #expect(await !flush.value)
  }
}
#endif
