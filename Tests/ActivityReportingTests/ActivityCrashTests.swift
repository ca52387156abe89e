#if SQLite && os(Linux)
import Foundation
import QueueCrashing
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(20))) struct ActivityCrashTests {
  private let sink: ActivitySink

  init() throws { sink = try ActivitySink() }

  @Test(
    "E12: After SIGKILL at each write, all that was acknowledged is delivered, with at most one repeat",
    arguments: [false, true])
  func everyWrite(isWithin: Bool) async throws {
    let kills = try await CrashTrial.atEachChange { position in
      (
        try CrashTrial(.activity, path: "/\(isWithin)/\(position)", port: sink.port),
        [.init(events: 12, isWithin ? .killWithin(position) : .killBefore(position)), .init(events: 1)]
      )
    } check: { position, trial in
      #expect(trial.ended.last == true)
      #expect(sink.violations(trial) == [], "SIGKILL at write \(position), within it: \(isWithin)")
    }
    // Opening a new file and recording twelve events takes more writes than this.
    #expect(kills > 60)
  }

  @Test("E12: After SIGKILL at random moments, all that was acknowledged is delivered, in order")
  func randomMoments() async throws {
    let moments = ProcessInfo.processInfo.environment["SWITCHYARD_ACTIVITY_KILLS"].flatMap { Int($0) } ?? 20
    var random = SeededRandom(seed: 16)
    let killsPerFile = 5
    for file in 0..<(moments + killsPerFile - 1) / killsPerFile {
      var trial = try CrashTrial(.activity, path: "/random/\(file)", port: sink.port)
      for _ in 0..<killsPerFile {
        let moment = Int.random(in: 1_000..<150_000, using: &random)
        try await trial.run(recorders: 3, events: 1_000_000, .killAfter(moment))
      }
      let isDrained = try await trial.run(events: 1)
      #expect(isDrained)
      #expect(trial.kills == killsPerFile)
      #expect(sink.violations(trial) == [], "file \(file)")
    }
  }

  @Test("A full disk refuses events with an error, and loses none that was acknowledged")
  func fullDisk() async throws {
    for position in [1, 20, 40, 61, 80] {
      var trial = try CrashTrial(.activity, path: "/full/\(position)", port: sink.port)
      let hasOpened = (try? await trial.run(events: 20, .full(from: position, count: 15))) == true
      if !hasOpened { #expect(position == 1, "A new file can't be created on a full disk") }
      #expect(Set(trial.refused).isSubset(of: ["full"]))
      let isDrained = try await trial.run(events: 1)
      #expect(isDrained)
      #expect(sink.violations(trial) == [], "full from write \(position)")
      if position > 20 { #expect(!trial.recorded.isEmpty && !trial.refused.isEmpty) }
    }
  }
}
#endif
