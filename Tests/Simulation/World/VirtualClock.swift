package import Interception
import Synchronization

/// A clock on a scheduler's time, with a wall clock that can be set.
package final class VirtualClock: Clock, @unchecked Sendable {
  // Accessed on the scheduler's thread only.

  /// An instant of the clock.
  package struct Instant: InstantProtocol {
    let offset: Duration
    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  /// The wall-clock time at the start of every history.
  package static let start = WallTime(secondsSince1970: 1_800_000_000)

  private let scheduler: Scheduler
  /// The number of tasks that sleep.
  private(set) var sleeperCount = 0
  /// By how much the wall clock is wrong.
  package var skew: Duration = .zero

  package init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  package var now: Instant { Instant(offset: scheduler.now) }
  package var minimumResolution: Duration { .nanoseconds(1) }
  /// The time of servers, whose clocks are right.
  package var trueWallTime: WallTime { Self.start.advanced(by: scheduler.now) }
  package var wallTime: WallTime { Self.start.advanced(by: scheduler.now + skew) }
  /// The clock as the package's types take it.
  package var source: TimeSource { TimeSource(self, wall: { self.wallTime }) }
  /// The clock with the time of servers.
  var serverSource: TimeSource { TimeSource(self, wall: { self.trueWallTime }) }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await sleep(until: deadline.offset)
  }

  /// Suspends until a time; throws `CancellationError` as soon as the task is cancelled.
  package func sleep(until deadline: Duration) async throws {
    let sleeper = Sleeper(scheduler)
    sleeperCount += 1
    defer { sleeperCount -= 1 }
    let isAwake = await withTaskCancellationHandler {
      await withCheckedContinuation { sleeper.sleep(until: deadline, $0) }
    } onCancel: {
      sleeper.cancel()
    }
    guard isAwake else { throw CancellationError() }
  }

  /// Suspends for a duration, also in a cancelled task.
  package func pause(for duration: Duration) async {
    await withCheckedContinuation { continuation in
      scheduler.at(scheduler.now + duration) { continuation.resume() }
    }
  }
}

/// A task that sleeps on the virtual clock.
private final class Sleeper: @unchecked Sendable {
  private let scheduler: Scheduler
  private var continuation: CheckedContinuation<Bool, Never>?
  private var timer: UInt64 = 0
  private var isCancelled = false

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  func sleep(until deadline: Duration, _ continuation: CheckedContinuation<Bool, Never>) {
    guard !isCancelled else { return continuation.resume(returning: false) }
    guard deadline > scheduler.now else { return continuation.resume(returning: true) }
    self.continuation = continuation
    timer = scheduler.at(deadline) { self.resume(returning: true) }
  }

  func cancel() {
    isCancelled = true
    scheduler.cancel(timer)
    resume(returning: false)
  }

  private func resume(returning isAwake: Bool) {
    guard let continuation else { return }
    self.continuation = nil
    continuation.resume(returning: isAwake)
  }
}
