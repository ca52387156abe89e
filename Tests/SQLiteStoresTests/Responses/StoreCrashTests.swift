#if SQLite && os(Linux)
import QueueCrashing
import Testing

@Suite("A response store and the end of the process", .timeLimit(.minutes(20)))
struct StoreCrashTests {
  private static let count = 5

  @Test(
    "H9: Responses survive SIGKILL at every change of a file: each is whole or absent, and none returns",
    arguments: [false, true])
  func kill(isWithin: Bool) async throws {
    var hits = 0
    let kills = try await CrashTrial.atEachChange { position in
      // Within a change it is also a store that has responses.
      let former: [CrashTrial.Run] = isWithin ? [.init(events: Self.count)] : []
      let killed = CrashTrial.Run(
        events: Self.count, isWithin ? .killWithin(position) : .killBefore(position))
      return (try CrashTrial(.responses), former + [killed, .init(events: Self.count)])
    } check: { position, trial in
      hits += Self.check(trial, "killed at change \(position), within it: \(isWithin)")
    }
    // Opening a new database and storing five responses takes more changes than this.
    #expect(kills > 60)
    #expect(hits > kills / 2)
  }

  @Test("With a full disk responses are declined, and none is wrong", arguments: [1, 3])
  func fullDisk(length: Int) async throws {
    let plan: [(trial: CrashTrial, runs: [CrashTrial.Run])] = try stride(from: 1, to: 60, by: 4).map {
      (
        try CrashTrial(.responses),
        [.init(events: Self.count, .full(from: $0, count: length)), .init(events: Self.count)]
      )
    }
    let trials = try await CrashTrial.run(plan)
    for (index, trial) in trials.enumerated() { Self.check(trial, "full at \(index * 4 + 1)") }
    #expect(trials.contains { !$0.refused.isEmpty })
  }

  /// Checks what the last run has found, and returns the number of responses.
  @discardableResult
  private static func check(_ trial: CrashTrial, _ comment: String) -> Int {
    let found = Set(trial.recordedByRun.last?.filter { $0.hasPrefix("hit.") } ?? [])
    #expect(!trial.refused.contains("wrong"), "\(comment)")
    for name in trial.recorded where name.hasPrefix("removed.") {
      #expect(!found.contains("hit." + name.dropFirst("removed.".count)), "\(name), \(comment)")
    }
    return found.count
  }
}
#endif
