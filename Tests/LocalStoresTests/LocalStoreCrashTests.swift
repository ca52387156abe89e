#if SQLite && os(Linux)
import Foundation
import LocalStores
import QueueCrashing
import Testing

@Suite("A local store and the end of the process", .timeLimit(.minutes(20)))
struct LocalStoreCrashTests {
  /// What is wrong with what the last run has found.
  private static func violations(_ trial: CrashTrial) -> [String] {
    var faults = trial.refused.filter { $0 != "full" }.map { "it is \($0)" }
    let last = trial.recordedByRun.last ?? []
    func names(_ prefix: String, in lines: [String]) -> Set<String> {
      Set(lines.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
    }
    let acknowledged = names("now.", in: trial.recordedByRun.dropLast().flatMap(\.self))
    let missing = acknowledged.subtracting(names("found.", in: last))
    if !missing.isEmpty { faults.append("acknowledged, but not found: \(missing.sorted())") }
    let flushed = names("flushed.", in: trial.recordedByRun.dropLast().flatMap(\.self)).compactMap { Int($0) }
    let pair = names("pair.", in: last).compactMap { Int($0) }.first ?? -1
    if let latest = flushed.max(), pair < latest { faults.append("flushed \(latest), but found \(pair)") }
    return faults
  }

  @Test(
    "K1: After SIGKILL at each write, all that was acknowledged or flushed is there, and no step is half",
    arguments: [false, true])
  func everyWrite(isWithin: Bool) async throws {
    let kills = try await CrashTrial.atEachChange { position in
      (
        try CrashTrial(.local, path: "/write"),
        [.init(events: 5, isWithin ? .killWithin(position) : .killBefore(position)), .init(events: 0)]
      )
    } check: { position, trial in
      #expect(trial.ended.last == true)
      #expect(Self.violations(trial) == [], "SIGKILL at write \(position), within it: \(isWithin)")
    }
    #expect(kills > 40)
  }

  @Test("K1: After SIGKILL at random moments, several times, all that was acknowledged or flushed is there")
  func randomMoments() async throws {
    var trial = try CrashTrial(.local, path: "/write")
    for moment in stride(from: 9_000, through: 60_000, by: 5_100) {
      try await trial.run(events: 1_000_000, .killAfter(moment))
    }
    let isWhole = try await trial.run(events: 0)
    #expect(isWhole)
    #expect(trial.kills == 11)
    #expect(trial.recorded.contains { $0.hasPrefix("now.") })
    #expect(Self.violations(trial) == [])
  }

  @Test(
    "K1: A full disk refuses a change with an error, and loses none that was acknowledged", arguments: [1, 5])
  func fullDisk(length: Int) async throws {
    let plan: [(trial: CrashTrial, runs: [CrashTrial.Run])] = try stride(from: 1, to: 60, by: 3).map {
      (
        try CrashTrial(.local, path: "/write"),
        [.init(events: 6, .full(from: $0, count: length)), .init(events: 0)]
      )
    }
    let trials = try await CrashTrial.run(plan)
    for (index, trial) in trials.enumerated() {
      #expect(!trial.ended.contains(false))
      #expect(Self.violations(trial) == [], "full at write \(index * 3 + 1)")
    }
    #expect(trials.contains { $0.refused.contains("full") && !$0.recorded.isEmpty })
  }

  @Test("A process can't use an account's file while another one does, and can afterwards")
  func twoProcesses() async throws {
    var trial = try CrashTrial(.local, path: "/write")
    try await trial.run(events: 1)
    let stores = AccountStores(folder: trial.folderPath + "/local", schema: LocalSchema())
    // A newer version of the schema than this process has.
    await #expect(throws: LocalStoreError.self) { try await stores.store(of: "ada") }
    _ = try await stores.store(of: "bob")
    try await trial.run(events: 1)
    #expect(trial.refused == [])
    let migrations = [LocalMigration { _ in }]
    let same = AccountStores(
      folder: trial.folderPath + "/local", schema: LocalSchema(migrations: migrations))
    _ = try await same.store(of: "ada")
    try await trial.run(events: 1)
    #expect(trial.refused == ["occupied"])
    try await same.close()
    try await trial.run(events: 1)
    #expect(trial.refused == ["occupied"])
    #expect(trial.recordedByRun.last?.contains("found.2.0") == true)
  }

  @Test(
    "K3: After SIGKILL at each write of a migration, the former version reads all items, or the new one does",
    arguments: [false, true])
  func migration(isWithin: Bool) async throws {
    var outcomes: Set<Bool> = []
    let kills = try await CrashTrial.atEachChange { position in
      (
        try CrashTrial(.local, path: "/migrate"),
        [
          .init(events: 4), .init(events: 0, isWithin ? .killWithin(position) : .killBefore(position)),
          .init(events: 0),
        ]
      )
    } check: { position, trial in
      let found = trial.recordedByRun.last ?? []
      let former = found.filter { $0.hasPrefix("former.") }
      #expect(former.isEmpty || former == (0..<4).map { "former.\($0)" }, "\(position)")
      #expect(found.filter { $0.hasPrefix("new.") } == (0..<4).map { "new.\($0)" }, "\(position)")
      #expect(trial.refused == [], "\(position)")
      outcomes.insert(former.isEmpty)
    }
    #expect(kills > 3)
    #expect(outcomes == [true, false])
  }

  @Test(
    "K2: After SIGKILL at each step of a logout, the account has all its data, or no byte is left",
    arguments: [false, true])
  func wipe(isWithin: Bool) async throws {
    var outcomes: Set<Bool> = []
    let kills = try await CrashTrial.atEachChange { position in
      (
        try CrashTrial(.local, path: "/wipe"),
        [
          .init(events: 3), .init(events: 0, isWithin ? .killWithin(position) : .killBefore(position)),
          .init(events: 0),
        ]
      )
    } check: { position, trial in
      let found = trial.recordedByRun.last ?? []
      #expect(found.isEmpty || found.count == 3, "\(position): \(found)")
      #expect(trial.refused == [], "\(position)")
      outcomes.insert(found.isEmpty)
      guard found.isEmpty else { return }
      let folder = URL(filePath: trial.folderPath + "/local")
      for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        #expect(try Data(contentsOf: file).firstRange(of: Data("MARKER-OF-ADA".utf8)) == nil, "\(file)")
      }
    }
    #expect(kills > 3)
    #expect(outcomes.contains(true))
  }
}
#endif
