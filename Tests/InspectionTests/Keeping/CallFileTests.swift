#if SQLite
import CommandRunning
import DurableQueues
import Foundation
import GRDB
import HTTPTypes
import SwitchyardTesting
import Synchronization
import Testing

@testable import Inspection
@testable import Interception

@Suite(.timeLimit(.minutes(5))) struct CallFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.path + "/calls.sqlite" }

  init() throws { folder = try TemporaryFolder(prefix: "calls") }

  @Test("Calls are found again by the next run, in their order and under their numbers")
  func nextRun() async throws {
    try await KeptRun(path).send(3).end()
    let run = try KeptRun(path)
    #expect(run.file.earlierCalls(after: 0, limit: 10).map(\.id) == [1, 2, 3])
    #expect(run.file.earlierCalls(after: 1, limit: 1).map(\.id) == [2])
    #expect(run.file.status.earlierCount == 3)
    let detail = try #require(run.file.part(.detail, of: 2))
    #expect(try JSON(detail)["earlier"].bool == true)
    #expect(run.file.part(.detail, of: 4) == nil)
    try await run.send(1)
    #expect(run.inspector.records.map(\.id) == [4])
    // Those of the present run come from memory.
    await run.inspector.stop()
    #expect(run.file.earlierCalls(after: 0, limit: 10).map(\.id) == [1, 2, 3])
    #expect(run.file.earlierEntries(upTo: 1 << 20).entries.count == 3)
    await run.end()
  }

  @Test("The file never exceeds its limit: the oldest calls make room, and one too large isn't written")
  func byteLimit() async throws {
    let run = try KeptRun(path, byteLimit: 300_000, body: [UInt8](repeating: 0x41, count: 9_000))
    for _ in 0..<4 {
      try await run.send(40)
      await run.inspector.stop()
      #expect(run.file.status.byteCount <= 300_000)
    }
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    #expect(size <= 300_000)
    await run.end()
    let next = try KeptRun(path, byteLimit: 300_000, body: [UInt8](repeating: 0x41, count: 60_000))
    let calls = next.file.earlierCalls(after: 0, limit: 1_000).map(\.id)
    #expect(calls.last == 160)
    #expect(calls.count > 5 && calls.count < 160)
    #expect(calls == Array((161 - calls.count)...160))
    try await next.send(1)
    await next.inspector.stop()
    #expect(next.file.status.droppedCount == 1)
    await next.end()
    // A lower limit removes what exceeds it.
    try await KeptRun(path, byteLimit: 1).end()
    let smaller = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    #expect(smaller <= 64 * 4_096)
  }

  @Test("No call waits for a disk that hangs: what finds no room is dropped and counted")
  func hangingDisk() async throws {
    let run = try KeptRun(path, pendingLimits: (3, 1 << 20))
    let gate = Gate()
    run.file.file.schedule { _ in gate.wait() }
    try await run.send(20)
    #expect(run.file.status.droppedCount == 17)
    #expect(run.inspector.records.count == 20)
    gate.open()
    await run.inspector.stop()
    #expect(run.file.status.byteCount > 0)
    await run.end()
    let next = try KeptRun(path)
    #expect(next.file.earlierCalls(after: 0, limit: 10).map(\.id) == [1, 2, 3])
    await next.end()
  }

  @Test("Calls are written after a moment, without a stop")
  func delayedWrite() async throws {
    let clock = TestClock()
    let run = try KeptRun(path, time: TimeSource(clock))
    try await run.send(2)
    try await waitUntil("both calls are written") {
      guard try await run.rowCount() < 2 else { return true }
      clock.advance(by: .milliseconds(250))
      return false
    }
    await run.end()
  }

  @Test("An inspector that is released writes what has ended")
  func release() async throws {
    var run: KeptRun? = try KeptRun(path)
    try await run?.send(2)
    let file = try #require(run?.file)
    run = nil
    await file.close()
    let next = try KeptRun(path)
    #expect(next.file.status.earlierCount == 2)
    await next.end()
  }

  @Test("Removing all calls empties the file, also of those that wait and those that run")
  func removal() async throws {
    try await KeptRun(path).send(3).end()
    let run = try KeptRun(path)
    try await run.send(2)
    run.inspector.removeAll()
    #expect(run.file.status.earlierCount == 0)
    #expect(run.file.earlierCalls(after: 0, limit: 10).isEmpty)
    #expect(try await run.rowCount() == 0)
    try await run.send(1)
    await run.end()
    let next = try KeptRun(path)
    #expect(next.file.earlierCalls(after: 0, limit: 10).map(\.id) == [6])
    await next.end()
  }

  @Test("A call that ends while all calls are removed is not written")
  func removedMeanwhile() async throws {
    let run = try KeptRun(path)
    try await run.send(1)
    let call = try #require(run.inspector.log.calls.first)
    run.inspector.removeAll()
    // As by a thread that looked at the call before the removal.
    run.file.keep(call)
    await run.file.flush()
    #expect(try await run.rowCount() == 0)
    try await run.send(1)
    await run.file.flush()
    #expect(try await run.rowCount() == 1)
    await run.end()
  }

  @Test("A file is named once, before the first call")
  func tooLate() async throws {
    let run = try KeptRun(path)
    #expect(throws: InspectorError(.fileNamedTooLate)) { try run.inspector.keepCalls(in: path + "2") }
    let inspector = Inspector(app: "Test")
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [inspector]) {}
    _ = try await pipeline.send(.example)
    #expect(throws: InspectorError(.fileNamedTooLate)) { try inspector.keepCalls(in: path + "2") }
    #expect(!FileManager.default.fileExists(atPath: path + "2"))
    await run.end()
  }

  @Test("The file is readable by its owner only, and no file beside it is")
  func permissions() async throws {
    let run = try KeptRun(path)
    try await run.send(1)
    await run.inspector.stop()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let file = folder.url.path + "/" + name
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(name)")
    }
    await run.end()
  }
}

/// Blocks a thread until it is opened, for at most 20 s.
private final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func open() { semaphore.signal() }
  func wait() { _ = semaphore.wait(timeout: .now() + 20) }
}

/// A run of an app with an inspector that keeps its calls.
struct KeptRun {
  let inspector: Inspector
  let file: CallFile
  private let pipeline: Pipeline

  init(
    _ path: String, byteLimit: Int = 64 << 20, pendingLimits: (count: Int, bytes: Int) = (4_096, 4 << 20),
    body: [UInt8] = Array(#"{"page":1}"#.utf8), time: TimeSource = .system
  ) throws {
    inspector = Inspector(app: "Test", showsOtherBodies: true)
    let changes = inspector.log.changes
    file = try CallFile(
      path, byteLimit: byteLimit, app: "Test", shown: inspector.shown, time: time,
      pendingLimits: pendingLimits, noteChange: { changes.note() })
    #expect(inspector.log.keep(by: file))
    let response = Response(status: .ok, headerFields: [.contentType: "text/plain"], bytes: body)
    pipeline = try Pipeline(over: ScriptedDispatcher(answering: response), observers: [inspector]) {}
  }

  @discardableResult
  func send(_ count: Int) async throws -> KeptRun {
    for _ in 0..<count { _ = try await pipeline.send(.example) }
    return self
  }

  func rowCount() async throws -> Int {
    try await file.file.perform { database throws(QueueFileError) in
      try self.file.file.check { try Int.fetchOne(database, sql: "SELECT count(*) FROM call") ?? 0 }
    }
  }

  /// Writes what waits, and closes the file.
  func end() async { await file.close() }
}
#endif
