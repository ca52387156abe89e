import Synchronization

/// A clock that stands still until a test moves it.
///
/// ``waitForSleepers(_:)`` lets a test go on only when the code under test waits, so that no test needs to
/// sleep.
public final class TestClock: Clock {
  /// A moment of the clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public var offset: Duration

    /// Returns a moment later, or earlier.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// The time from this moment to another one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether one moment is before another one.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let id: UInt64
    let deadline: Instant
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var lastID: UInt64 = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<UInt64> = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func takeSatisfiedWatchers() -> [CheckedContinuation<Void, Never>] {
      let satisfied = watchers.filter { $0.count <= sleepers.count }
      watchers.removeAll { $0.count <= sleepers.count }
      return satisfied.map(\.continuation)
    }
  }

  private let state = Mutex(State())

  /// Makes a clock that stands at zero.
  public init() {}

  /// The moment at which the clock stands.
  public var now: Instant { state.withLock { $0.now } }

  /// The smallest step.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until a test has moved the clock to `deadline`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let isAwake = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enqueue(Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      cancel(id)
    }
    guard isAwake else { throw CancellationError() }
  }

  /// Moves the clock and wakes whoever waited for it.
  public func advance(by duration: Duration) {
    let awake = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let awake = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return awake.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in awake { sleeper.continuation.resume(returning: true) }
  }

  /// Returns once at least `count` tasks wait for the clock.
  public func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let satisfied = state.withLock { state in
        state.watchers.append((count, continuation))
        return state.takeSatisfiedWatchers()
      }
      for watcher in satisfied { watcher.resume() }
    }
  }

  private func enqueue(_ sleeper: Sleeper) {
    let (isOver, wasCancelled, satisfied) = state.withLock { state in
      let wasCancelled = state.cancelled.remove(sleeper.id) != nil
      let isOver = sleeper.deadline <= state.now
      if !wasCancelled, !isOver { state.sleepers.append(sleeper) }
      return (isOver, wasCancelled, state.takeSatisfiedWatchers())
    }
    if wasCancelled || isOver { sleeper.continuation.resume(returning: !wasCancelled) }
    for watcher in satisfied { watcher.resume() }
  }

  private func cancel(_ id: UInt64) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(returning: false)
  }
}
