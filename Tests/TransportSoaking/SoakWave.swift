import CurlTransport
import Synchronization

/// The next request's number and the outcomes so far, shared by the callers of one wave.
final class SoakWave: Sendable {
  private let next: Atomic<Int>
  private let range: Range<Int>
  private let tally: Mutex<SoakTally>
  private let mayLose = Atomic(false)
  private let latest = Mutex<Task<Void, any Error>?>(nil)
  let living = SoakSource.Living()
  let streams = WeakStreams()

  init(_ range: Range<Int>) {
    next = Atomic(range.lowerBound)
    self.range = range
    tally = Mutex(SoakTally(range))
  }

  /// Returns the next request's number; nil if there is none.
  func take() -> Int? {
    let number = next.add(1, ordering: .relaxed).oldValue
    return number < range.upperBound ? number : nil
  }

  /// Allows requests that end from now on to fail as those of a lost connection do.
  func allowLosses() { mayLose.store(true, ordering: .sequentiallyConsistent) }

  /// Runs an operation after the earlier ones, so that a server is not killed while it starts.
  func inOrder(_ operation: @escaping @Sendable () async throws -> Void) async throws {
    let task = latest.withLock { latest in
      let earlier = latest
      let task = Task {
        try await earlier?.value
        try await operation()
      }
      latest = task
      return task
    }
    try await task.value
  }

  /// Records the outcome of a call, and what is wrong with it.
  func note(_ call: SoakCall, _ outcome: SoakCall.Outcome) {
    let isAllowed = mayLose.load(ordering: .sequentiallyConsistent) && SoakCall.isLoss(outcome)
    let fault = isAllowed ? nil : call.fault(of: outcome)
    tally.withLock { $0.note(call.plan.number, outcome, fault: fault) }
  }

  /// Adds the outcomes to a report, and checks that nothing is left of the requests.
  func end(of dispatcher: CurlDispatcher, _ report: inout SoakReport) async {
    tally.withLock { $0 }.add(to: &report)
    await settle(&report) {
      let census = await dispatcher.census()
      return census.isEmpty ? nil : "the dispatcher holds \(census)"
    }
    await settle(&report) { living.value == 0 ? nil : "\(living.value) request bodies are alive" }
    await settle(&report) {
      let alive = streams.living()
      return alive == 0 ? nil : "\(alive) responses' streams are alive"
    }
  }

  /// Repeats the check until it finds no fault: cancelled requests may take some turns to end.
  func settle(_ report: inout SoakReport, _ complaint: () async -> String?) async {
    let end = ContinuousClock.now + .seconds(120)
    while let words = await complaint() {
      guard ContinuousClock.now < end else {
        return report.add("wave from \(range.lowerBound): \(words)")
      }
      await Task.yield()
    }
  }
}
