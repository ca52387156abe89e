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
    // Two changes are tried at a time; the last one is found when a run isn't killed any more.
    var (position, hits, isOver) = (1, 0, false)
    while !isOver {
      let results = try await withThrowingTaskGroup { group in
        for position in position..<position + 2 {
          group.addTask { try await Self.hits(killedAt: position, isWithin: isWithin) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      isOver = results.contains { $0.hasEnded }
      hits += results.reduce(0) { $0 + $1.hits }
      position += 2
    }
    // Opening a new database and storing five responses takes more changes than this.
    #expect(position > 60)
    #expect(hits > position / 2)
  }

  private static func hits(killedAt position: Int, isWithin: Bool) async throws -> (hasEnded: Bool, hits: Int)
  {
    var trial = try CrashTrial(.responses, path: "/", port: 0)
    // Within a change it is also a store that has responses.
    if isWithin { try await trial.run(events: count) }
    let hasEnded = try await trial.run(
      events: count, isWithin ? .killWithin(position) : .killBefore(position))
    let before = trial.recorded.count
    try await trial.run(events: count)
    let found = Set(trial.recorded[before...].filter { $0.hasPrefix("hit.") })
    check(trial, found, "killed at change \(position), within it: \(isWithin)")
    return (hasEnded, found.count)
  }

  @Test("With a full disk responses are declined, and none is wrong", arguments: [1, 3])
  func fullDisk(length: Int) async throws {
    var (position, refusals) = (1, 0)
    while position < 60 {
      var trial = try CrashTrial(.responses, path: "/", port: 0)
      try await trial.run(events: Self.count, .full(from: position, count: length))
      refusals += trial.refused.count
      let before = trial.recorded.count
      try await trial.run(events: Self.count)
      Self.check(trial, Set(trial.recorded[before...].filter { $0.hasPrefix("hit.") }), "full at \(position)")
      position += 4
    }
    #expect(refusals > 0)
  }

  private static func check(_ trial: CrashTrial, _ found: Set<String>, _ comment: String) {
    #expect(!trial.refused.contains("wrong"), "\(comment)")
    let removed = trial.recorded.filter { $0.hasPrefix("removed.") }
    for name in removed {
      #expect(!found.contains("hit." + name.dropFirst("removed.".count)), "\(name), \(comment)")
    }
  }
}
#endif
