import CSimulation
package import SwitchyardTesting

/// Runs all jobs of the runtime on one thread, in an order that a seed determines, on virtual time.
///
/// A job is what a task does between two suspensions. If several are ready, the seed picks the next one; if
/// none is, the time advances to the next timer. So a history of seconds takes as long as its computations,
/// and the same seed gives the same history.
package final class Scheduler: @unchecked Sendable {
  // All members are accessed on the thread that calls `run`, which runs every job.

  /// How the next job is picked.
  package enum Order: Int, Sendable, CaseIterable {
    /// The one that has been ready longest, as with a single worker.
    case first
    /// Any one.
    case any
    /// The one that became ready last, three times out of four: as extreme as an executor can be.
    case last
  }

  /// Why a run has ended.
  package enum Ending: Sendable, Hashable {
    /// Nothing is left to do, neither jobs nor timers.
    case idle
    /// The time limit was reached.
    case time
    /// The jobs don't come to an end.
    case endless
  }

  private enum Job {
    case global(UnsafeMutableRawPointer)
    case main(UnownedJob)
  }

  private struct Timer {
    let deadline: Duration
    let number: UInt64
    let action: () -> Void

    static func isBefore(_ left: Timer, _ right: Timer) -> Bool {
      (left.deadline, left.number) < (right.deadline, right.number)
    }
  }

  /// The scheduler of the thread's history.
  nonisolated(unsafe) private static var current: Scheduler?
  private static let mainActor = MainActorExecutor()

  /// The time since the history's start.
  package private(set) var now: Duration = .zero
  /// The number of jobs that were run.
  package private(set) var jobCount = 0
  private let order: Order
  private var random: SeededRandom
  private var ready: [Job] = []
  private var timers: [Timer] = []
  private var cancelled: Set<UInt64> = []
  private var lastTimer: UInt64 = 0

  /// Creates a scheduler, which receives all jobs from now on.
  package init(_ order: Order, random: SeededRandom) {
    self.order = order
    self.random = random
    Scheduler.current = self
    Scheduler.install
  }

  private static let install: Void = {
    let words = unsafeBitCast(
      mainActor.asUnownedSerialExecutor(), to: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?).self)
    simulation_install({ Scheduler.current?.ready.append(.global($0)) }, words.0, words.1)
  }()

  fileprivate static func enqueueOnMainActor(_ job: UnownedJob) { current?.ready.append(.main(job)) }

  /// Calls a closure at a time; the number cancels it.
  @discardableResult
  package func at(_ deadline: Duration, _ action: @escaping () -> Void) -> UInt64 {
    lastTimer += 1
    let timer = Timer(deadline: max(deadline, now), number: lastTimer, action: action)
    let index = timers.firstIndex { Timer.isBefore($0, timer) } ?? timers.endIndex
    timers.insert(timer, at: index)
    return lastTimer
  }

  /// Cancels a timer, and returns whether it had not fired.
  @discardableResult
  package func cancel(_ number: UInt64) -> Bool {
    guard let index = timers.firstIndex(where: { $0.number == number }) else { return false }
    timers.remove(at: index)
    return true
  }

  /// The number of timers that wait.
  package var timerCount: Int { timers.count }

  /// Runs jobs and timers until nothing is left, or until a time.
  package func run(until limit: Duration, jobLimit: Int = 1_000_000) -> Ending {
    while true {
      while !ready.isEmpty {
        guard jobCount < jobLimit else { return .endless }
        jobCount += 1
        switch ready.remove(at: pick()) {
        case .global(let job): simulation_run(job)
        case .main(let job): job.runSynchronously(on: Scheduler.mainActor.asUnownedSerialExecutor())
        }
      }
      guard let timer = timers.last else { return .idle }
      guard timer.deadline <= limit else {
        now = limit
        return .time
      }
      timers.removeLast()
      now = timer.deadline
      timer.action()
    }
  }

  private func pick() -> Int {
    guard ready.count > 1 else { return 0 }
    switch order {
    case .first: return 0
    case .any: return Int.random(in: ready.indices, using: &random)
    case .last:
      return Int.random(in: 0..<4, using: &random) > 0
        ? ready.count - 1 : Int.random(in: ready.indices, using: &random)
    }
  }
}

/// The main actor's executor in a simulation.
private final class MainActorExecutor: SerialExecutor {
  func enqueue(_ job: UnownedJob) { Scheduler.enqueueOnMainActor(job) }
  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
  // There is one thread.
  func checkIsolated() {}
}
