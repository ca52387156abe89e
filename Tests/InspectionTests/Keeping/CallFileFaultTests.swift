#if SQLite
import CommandRunning
import DurableQueues
import Foundation
import GRDB
import QueueCrashing
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite(.timeLimit(.minutes(5))) struct CallFileFaultTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.path + "/calls.sqlite" }

  init() throws { folder = try TemporaryFolder(prefix: "calls") }

  @Test("A file that is open, foreign, in no folder or not writable is refused by name, and calls go on")
  func unusableFiles() async throws {
    let run = try KeptRun(path)
    let foreign = folder.url.path + "/foreign.sqlite"
    try await DatabaseQueue(path: foreign).write { try $0.execute(sql: "CREATE TABLE a (b)") }
    let cases: [(String, InspectorError.FileFault)] = [
      (path, .inUse), (foreign, .foreign), (folder.url.path + "/none/calls.sqlite", .unusable),
      ("/sys/calls.sqlite", .notWritable),
    ]
    for (file, fault) in cases {
      let inspector = Inspector(app: "Test")
      let error = InspectorError(.file(file, fault))
      #expect(throws: error) { try inspector.keepCalls(in: file) }
      #expect("\(error)".contains("\"\(file)\""))
      let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [inspector]) {}
      _ = try await pipeline.send(.example)
      #expect(inspector.records.count == 1)
    }
    // A foreign file is left as it was.
    #expect(try await DatabaseQueue(path: foreign).read { try $0.tableExists("a") })
    await run.end()
  }

  @Test("A file that is no database is moved away, and the page says so")
  func noDatabase() async throws {
    try Data(repeating: 0x41, count: 20_000).write(to: URL(filePath: path))
    let inspector = Inspector(app: "Test")
    try inspector.keepCalls(in: path)
    let note = try #require(inspector.timeline.notes(after: 0).first)
    #expect(note.detail.contains("calls.sqlite.damaged-"))
    await inspector.log.keeper?.close()
  }

  @Test("What can be read of a damaged file is kept", arguments: [40, 60, 80])
  func salvage(percent: Int) async throws {
    try await KeptRun(path, body: [UInt8](repeating: 0x41, count: 3_000)).send(60).end()
    var bytes = try Data(contentsOf: URL(filePath: path))
    let middle = bytes.count * percent / 100 / 4_096 * 4_096
    for index in middle..<middle + 8_192 { bytes[index] = 0xA5 }
    try bytes.write(to: URL(filePath: path))
    // Reading reports it, if opening doesn't.
    let first = try KeptRun(path)
    let found = first.file.earlierCalls(after: 0, limit: 100).count
    await first.end()
    let second = try KeptRun(path)
    #expect(second.file.earlierCalls(after: 0, limit: 100).count >= max(found, 20))
    #expect(second.file.status.fault == nil)
    await second.end()
  }

  @Test("A row with a changed byte is passed over, and the others are shown")
  func changedByte() async throws {
    try await KeptRun(path).send(5).end()
    try await DatabaseQueue(path: path).write { database in
      try database.execute(
        sql: "UPDATE call SET summary = CAST(replace(summary, 'GET', 'GOT') AS BLOB) WHERE sequence = 3")
      try database.execute(sql: "UPDATE call SET detail = 'text' WHERE sequence = 4")
    }
    let run = try KeptRun(path)
    #expect(run.file.earlierCalls(after: 0, limit: 2).map(\.id) == [1, 2])
    #expect(run.file.earlierCalls(after: 1, limit: 2).map(\.id) == [2, 4])
    #expect(run.file.part(.detail, of: 4) == nil)
    #expect(run.file.part(.detail, of: 5) != nil)
    await run.end()
  }

  @Test("A number that no inspector has given is damage")
  func greatNumber() async throws {
    try await KeptRun(path).send(1).end()
    try await DatabaseQueue(path: path).write {
      try $0.execute(sql: "UPDATE call SET sequence = ?", arguments: [Int64.max])
    }
    let run = try KeptRun(path)
    #expect(run.file.lastEarlierID == 0)
    #expect(run.file.damagedFile != nil)
    await run.end()
  }

  @Test("While the disk is full calls are counted and the page says why, and later ones are written")
  func fullDisk() async throws {
    let run = try KeptRun(path, body: [UInt8](repeating: 0x41, count: 20_000))
    let limit = try await run.file.file.perform { database throws(QueueFileError) in
      try run.file.file.check {
        let limit = try Int.fetchOne(database, sql: "PRAGMA max_page_count") ?? 0
        _ = try Row.fetchAll(database, sql: "PRAGMA max_page_count = 4")
        return limit
      }
    }
    let before = run.inspector.log.changes.last
    try await run.send(3)
    await run.inspector.stop()
    #expect(run.file.status.droppedCount == 3)
    #expect(run.file.status.fault?.contains("the disk is full") == true)
    #expect(run.inspector.log.changes.last > before + 6)
    _ = try await run.file.file.perform { database throws(QueueFileError) in
      try run.file.file.check { _ = try Row.fetchAll(database, sql: "PRAGMA max_page_count = \(limit)") }
    }
    try await run.send(2)
    await run.inspector.stop()
    #expect(run.file.status.fault == nil)
    #expect(try await run.rowCount() == 2)
    await run.end()
  }

  @Test("A file that is deleted while it is open is reported, and nothing more is written")
  func deletedFile() async throws {
    let run = try KeptRun(path)
    try FileManager.default.removeItem(atPath: path)
    try await run.send(2)
    await run.inspector.stop()
    #expect(run.file.status.fault?.contains("was deleted or replaced") == true)
    try await run.send(2)
    await run.inspector.stop()
    #expect(run.file.status.droppedCount == 4)
    #expect(run.file.status.fault != nil)
    await run.end()
  }

  @Test("A process that is killed at any change of the file loses no call that was written before")
  func kills() async throws {
    var trials: [CrashTrial] = []
    let kills = try await CrashTrial.atEachChange { position in
      (
        try CrashTrial(.calls),
        [.init(events: 6, position % 2 == 0 ? .killBefore(position) : .killWithin(position))]
      )
    } check: { _, trial in
      trials.append(trial)
    }
    #expect(kills > 20)
    for (index, trial) in trials.enumerated() {
      #expect(try await found(by: trial).isSuperset(of: trial.recorded), "killed at change \(index + 1)")
      #expect(trial.kills == 1 || trial.recorded.count == 6)
    }
  }

  @Test("A disk that is full for a while costs some calls, and never the file", arguments: [1, 3])
  func faultyDisk(length: Int) async throws {
    let plan: [(trial: CrashTrial, runs: [CrashTrial.Run])] = try stride(from: 1, to: 40, by: 3).map {
      (try CrashTrial(.calls), [.init(events: 6, .full(from: $0, count: length))])
    }
    var losses = 0
    for trial in try await CrashTrial.run(plan) {
      #expect(trial.kills == 0)
      losses += trial.refused.isEmpty ? try await 6 - found(by: trial).count : 0
    }
    #expect(losses > 0)
  }

  /// The names of the calls that the file of a trial has.
  private func found(by trial: CrashTrial) async throws -> Set<String> {
    let run = try KeptRun(trial.folderPath + "/calls.sqlite")
    #expect(run.file.damagedFile == nil)
    let lines = run.file.earlierCalls(after: 0, limit: 100)
    await run.end()
    return Set(try lines.compactMap { try JSON($0.summary)["path"].text.map { String($0.dropFirst()) } })
  }
}
#endif
