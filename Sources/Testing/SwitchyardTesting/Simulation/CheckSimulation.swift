import Interception

/// Runs an app's code over a simulated network, once for each seed, and checks what every history must keep.
///
/// ```swift
/// let report = await checkSimulation(seeds: 1...200, faults: SimulatedFault.some()) { random in
///   (1...8).map { _ in Bool.random(using: &random) ? "load" : "write" }
/// } run: { run, steps in
///   run.network.serve("api.example") { _ in Response(status: .ok) }
///   let pipeline = try Pipeline.standard(over: run.network, time: run.network.time)
///   for step in steps {
///     run.start(step, within: .seconds(60)) { try await pipeline.send(try Request("https://api.example/")) }
///     await run.pause(for: .seconds(1))
///   }
/// }
/// #expect(report.failure == nil, "\(report)")
/// ```
///
/// While code sleeps on the clock of the run, and nothing else happens, the clock is advanced to the next
/// time, so a history of minutes takes milliseconds. After each history is checked that every call of
/// ``SimulatedRun/start(_:within:_:)`` has ended within its time, that a request that is neither idempotent
/// nor has a key was performed once at most, that no exchange is left, and what `rules` and the run itself
/// state. The first history that breaks a rule ends the simulation: steps that the failure doesn't need are
/// left out, and the report prints the rest with its seed.
///
/// - Parameters:
///   - seeds: The seeds, each of which gives a history.
///   - rules: What else is checked.
///   - faults: Decides what goes wrong in an exchange; faults in a fifth of them by default.
///   - patience: The real time after which code that neither sleeps nor ends counts as stuck.
///   - steps: Returns the steps of a history.
///   - run: Creates the app over the run's network, and takes the steps.
public func checkSimulation<Step: Sendable>(
  seeds: ClosedRange<UInt64> = 1...200, rules: SimulationRules = SimulationRules(),
  faults: @escaping SimulatedNetwork.Faults = SimulatedFault.some(), patience: Duration = .seconds(5),
  steps: (_ random: inout SeededRandom) -> [Step],
  run: @escaping @Sendable (_ run: SimulatedRun, _ steps: [Step]) async throws -> Void
) async -> SimulationReport {
  let simulation = Simulation(rules: rules, faults: faults, patience: patience, body: run)
  var report = SimulationReport()
  for seed in seeds {
    var random = SeededRandom(seed: seed)
    let steps = steps(&random)
    let history = await simulation.history(seed, steps)
    report.historyCount += 1
    report.arrivalCount += history.network.arrivals.count
    report.faultCounts.merge(history.faultCounts, uniquingKeysWith: +)
    guard let violation = history.violations.first else { continue }
    report.failure = await simulation.shrunk(history, steps, keeping: violation.rule)
    break
  }
  return report
}

/// What all histories of a simulation have in common.
private struct Simulation<Step: Sendable>: Sendable {
  let rules: SimulationRules
  let faults: SimulatedNetwork.Faults
  let patience: Duration
  let body: @Sendable (SimulatedRun, [Step]) async throws -> Void

  /// Runs a history completely.
  func history(_ seed: UInt64, _ steps: [Step]) async -> SimulatedRun {
    let run = SimulatedRun(seed: seed, rules: rules, faults: faults)
    let number = run.begin("The run", deadline: nil)
    let task = Task { [body] in
      do { try await body(run, steps) } catch { run.fail(.own, "The run has thrown \(error).") }
      run.end(number, "The run")
    }
    run.cancellable(number) { task.cancel() }
    await HistoryDriver(run: run, patience: patience).drive()
    return run
  }

  /// Leaves out runs of steps, halves first and single ones last, as long as the same rule is broken.
  func shrunk(
    _ failed: SimulatedRun, _ steps: [Step], keeping rule: SimulatedRun.Rule
  ) async -> SimulationReport.Failure {
    var (shortest, steps) = (failed, steps)
    var (width, runs) = (max(steps.count / 2, 1), 0)
    while width >= 1 {
      var start = 0
      while start < steps.count, steps.count > 1, runs < 100 {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + width, steps.count))
        runs += 1
        let history = await history(failed.seed, fewer)
        if history.violations.contains(where: { $0.rule == rule }) {
          (shortest, steps) = (history, fewer)
        } else {
          start += width
        }
      }
      width /= 2
    }
    return SimulationReport.Failure(
      seed: failed.seed, violations: shortest.violations.map(\.text), steps: steps.map { "\($0)" },
      story: shortest.lines)
  }
}

/// Advances the clock of a run until everything has ended.
private struct HistoryDriver {
  let run: SimulatedRun
  let patience: Duration
  /// How long code may sleep after the last call has ended.
  private static var rest: Duration { .seconds(3_600) }
  private static var advanceLimit: Int { 100_000 }

  func drive() async {
    var lastEnd = Duration.zero
    for _ in 0..<Self.advanceLimit {
      await settle()
      // Taken before anything is read, so that what happens meanwhile counts as a change.
      let seen = stamp
      let now = run.clock.now.offset
      if run.callCount > 0 { lastEnd = now }
      if let deadline = run.nextDeadline, deadline <= now {
        // Not a moment passes for others before the call has ended.
        if await !changes(since: seen) { run.cancelLate(at: now, "its time was over at \(now)") }
        continue
      }
      guard let next = run.clock.activity.next?.offset else {
        if run.callCount == 0 { return checkRest() }
        if await !changes(since: seen) { run.cancelLate(at: nil, "nothing is left that could end it") }
        continue
      }
      guard next <= lastEnd + Self.rest else {
        run.fail(.nothingLeft, "A task sleeps for more than an hour after the last call has ended.")
        return checkRest()
      }
      let target = min(next, run.nextDeadline ?? next)
      run.clock.advance(by: max(target - now, .zero))
    }
    run.cancelLate(at: nil, "the clock was advanced \(Self.advanceLimit) times")
  }

  private func checkRest() {
    let count = run.network.runningCount
    if count > 0 { run.fail(.nothingLeft, "\(count) exchanges are left after the last call.") }
  }

  private struct Stamp: Hashable {
    let activity: TestClock.Activity
    let changes: Int
  }

  private var stamp: Stamp { Stamp(activity: run.clock.activity, changes: run.changes) }

  /// Lets tasks run until none seems to be ready.
  private func settle() async {
    var (last, quiet) = (stamp, 0)
    while quiet < 20 {
      if quiet % 8 == 7 { await MainActor.run {} } else { await Task.yield() }
      let current = stamp
      quiet = current == last && current.activity.resumingCount == 0 ? quiet + 1 : 0
      last = current
    }
  }

  /// Waits until something has happened since a stamp; false if nothing does within the patience.
  private func changes(since seen: Stamp) async -> Bool {
    let end = ContinuousClock.now + patience
    while stamp == seen {
      guard ContinuousClock.now < end else { return false }
      await Task.yield()
    }
    return true
  }
}
