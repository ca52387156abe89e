import Synchronization

/// A clock that only a test advances.
///
/// With ``waitForSleepers(_:within:fileID:line:)`` a test waits until the code under test sleeps, so that no
/// test needs to sleep.
public final class TestClock: Clock {
  /// An instant of the clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    package var offset: Duration

    /// Returns the instant offset by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the time from this instant to another one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns whether one instant is before another one.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let id: UInt64
    let deadline: Instant
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// A test that waits for sleepers, and is resumed with whether there were enough in time.
  private struct Watcher {
    let id: UInt64
    let count: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var lastID: UInt64 = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<UInt64> = []
    /// The tasks that were resumed and don't run yet.
    var resuming = 0
    var watchers: [Watcher] = []
    var lastWatcherID: UInt64 = 0

    /// Sets the time, and returns the sleepers to resume, in the order of their deadlines.
    mutating func advance(to instant: Instant) -> [Sleeper] {
      now = instant
      let awake = sleepers.filter { $0.deadline <= instant }
      sleepers.removeAll { $0.deadline <= instant }
      resuming += awake.count
      return awake.sorted { $0.deadline < $1.deadline }
    }

    mutating func takeSatisfiedWatchers() -> [CheckedContinuation<Bool, Never>] {
      let satisfied = watchers.filter { $0.count <= sleepers.count }
      watchers.removeAll { $0.count <= sleepers.count }
      return satisfied.map(\.continuation)
    }
  }

  private let state = Mutex(State())

  /// Creates a clock at zero.
  public init() {}

  /// The current instant.
  public var now: Instant { state.withLock { $0.now } }

  /// The resolution of the clock.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until the clock reaches `deadline`.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
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
    state.withLock { $0.resuming -= 1 }
    guard isAwake else { throw CancellationError() }
  }

  /// Advances the clock and resumes the tasks whose deadline is reached.
  public func advance(by duration: Duration) {
    let awake = state.withLock { $0.advance(to: $0.now.advanced(by: duration)) }
    for sleeper in awake { sleeper.continuation.resume(returning: true) }
  }

  /// Advances the clock to the earliest deadline and resumes the tasks that it belongs to.
  ///
  /// It does nothing while no task sleeps, or while a resumed task doesn't run yet, because that task may
  /// sleep until an earlier time.
  package func advanceToNextDeadline() {
    let awake = state.withLock { state in
      guard state.resuming == 0, let next = state.sleepers.map(\.deadline).min() else { return [Sleeper]() }
      return state.advance(to: next)
    }
    for sleeper in awake { sleeper.continuation.resume(returning: true) }
  }

  /// Suspends until at least `count` tasks sleep on the clock.
  ///
  /// - Throws: ``WaitTimeout`` if there are fewer after `limit`, in real time.
  public func waitForSleepers(
    _ count: Int = 1, within limit: Duration = .seconds(20), fileID: String = #fileID, line: Int = #line
  ) async throws(WaitTimeout) {
    let id = state.withLock { state in
      state.lastWatcherID += 1
      return state.lastWatcherID
    }
    let timer = Task {
      try await Task.sleep(for: limit)
      abandonWatcher(id)
    }
    defer { timer.cancel() }
    let isSatisfied = await withCheckedContinuation { continuation in
      let satisfied = state.withLock { state in
        state.watchers.append(Watcher(id: id, count: count, continuation: continuation))
        return state.takeSatisfiedWatchers()
      }
      for watcher in satisfied { watcher.resume(returning: true) }
    }
    guard !isSatisfied else { return }
    let sleepers = state.withLock { $0.sleepers.count }
    throw WaitTimeout("\(count) tasks sleep on the clock, where \(sleepers) do", limit, fileID, line)
  }

  private func abandonWatcher(_ id: UInt64) {
    let watcher = state.withLock { state in
      state.watchers.firstIndex { $0.id == id }.map { state.watchers.remove(at: $0) }
    }
    watcher?.continuation.resume(returning: false)
  }

  /// What the clock knows of the tasks that use it.
  struct Activity: Hashable {
    /// The number of calls of ``TestClock/sleep(until:tolerance:)`` so far.
    let sleeps: UInt64
    let sleeperCount: Int
    /// The tasks that were resumed and don't run yet.
    let resumingCount: Int
    /// The deadline of the task that is resumed next.
    let next: Instant?
  }

  var activity: Activity {
    state.withLock { state in
      Activity(
        sleeps: state.lastID, sleeperCount: state.sleepers.count, resumingCount: state.resuming,
        next: state.sleepers.map(\.deadline).min())
    }
  }

  private func enqueue(_ sleeper: Sleeper) {
    let (isOver, wasCancelled, satisfied) = state.withLock { state in
      let wasCancelled = state.cancelled.remove(sleeper.id) != nil
      let isOver = sleeper.deadline <= state.now
      if wasCancelled || isOver { state.resuming += 1 } else { state.sleepers.append(sleeper) }
      return (isOver, wasCancelled, state.takeSatisfiedWatchers())
    }
    if wasCancelled || isOver { sleeper.continuation.resume(returning: !wasCancelled) }
    for watcher in satisfied { watcher.resume(returning: true) }
  }

  private func cancel(_ id: UInt64) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      state.resuming += 1
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(returning: false)
  }
}
