#if SQLite
import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ActivityReporting

@Suite(.timeLimit(.minutes(5))) struct ActivityFileTests {
  private func kind(_ open: () throws -> ActivityLog) -> QueueError.Kind? {
    do {
      _ = try open()
      return nil
    } catch { return (error as? QueueError)?.kind }
  }

  @Test("A file has one owner; a second log is refused until the first one is closed")
  func oneOwner() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open()
    #expect(kind { try fixture.open() } == .file(.occupied))
    await log.close()
    let next = try fixture.open()
    await next.close()
  }

  @Test("A log that is released without being closed frees its file")
  func released() async throws {
    let fixture = try LogFixture()
    weak var released: ActivityLog?
    do {
      let log = try fixture.open()
      log.start()
      try await log.record("1")
      released = log
    }
    #expect(released == nil)
    // The uploader ends on its own task.
    var next: ActivityLog?
    try await waitUntil("the file is free") {
      next = try? fixture.open()
      return next != nil
    }
    #expect(try await next?.peek().map(\.name) == ["1"])
    await next?.close()
  }

  @Test("A file that is not a database is set aside, reported, and replaced")
  func notADatabase() async throws {
    let fixture = try LogFixture()
    let junk = Data(repeating: 7, count: 20_000)
    try junk.write(to: URL(filePath: fixture.path))
    let log = try fixture.open()
    let aside = try #require(log.damagedFile)
    #expect(try Data(contentsOf: URL(filePath: aside)) == junk)
    try await log.record("1")
    #expect(log.stats.waitingCount == 1)
    await log.close()
    #expect(try fixture.open().damagedFile == nil)
  }

  @Test("A database of another program is refused and left as it is")
  func foreign() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open()
    await log.close()
    var bytes = try Data(contentsOf: URL(filePath: fixture.path))
    // The application ID.
    bytes.replaceSubrange(68..<72, with: [1, 2, 3, 4])
    try bytes.write(to: URL(filePath: fixture.path))
    #expect(kind { try fixture.open() } == .file(.foreign))
    #expect(try Data(contentsOf: URL(filePath: fixture.path)) == bytes)
  }

  @Test("A full file refuses events with an error, and keeps those that it has acknowledged")
  func full() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open(batchCount: 5_000, maximumPages: 40)
    var recorded = 0
    let text = ActivityEvent.Value.string(String(repeating: "x", count: 500))
    let error = await #expect(throws: QueueError.self) {
      while recorded < 10_000 {
        try await log.record("\(recorded)", ["text": text])
        recorded += 1
      }
    }
    #expect(error?.kind == .file(.full) && error?.description.contains("free space") == true)
    #expect(recorded > 100 && log.stats.waitingCount == recorded)
    log.start()
    #expect(await log.flush())
    #expect(fixture.names.joined().map { $0 } == (0..<recorded).map { "\($0)" })
    try await log.record("after")
    await log.close()
  }

  @Test("A folder that doesn't exist or can't be written gives an error with a remedy")
  func noFolder() throws {
    let fixture = try LogFixture()
    let error = #expect(throws: QueueError.self) { try fixture.open(at: fixture.path + "/none/x") }
    #expect(error?.kind == .file(.unusable) && error?.description.contains("check its folder") == true)
  }

  @Test(
    "A planted file is refused by name, and what it leads to is not written",
    arguments: PlantedFile.allCases)
  func planted(plant: PlantedFile) async throws {
    let fixture = try LogFixture()
    let log = try fixture.open()
    try await log.record("1")
    await log.close()
    let precious = fixture.path + "-precious"
    try plant.make(at: fixture.path, precious: precious)
    let before = try Data(contentsOf: URL(filePath: precious))
    let error = #expect(throws: QueueError.self) { try fixture.open() }
    #expect(error?.kind == .file(.foreign) && error?.description.contains(plant.rawValue) == true)
    #expect(try Data(contentsOf: URL(filePath: precious)) == before)
  }

  @Test("A file that is deleted while it is open is noticed")
  func deleted() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open()
    try await log.record("1")
    try FileManager.default.removeItem(atPath: fixture.path)
    let error = await #expect(throws: QueueError.self) { try await log.record("2") }
    #expect(error?.kind == .file(.replaced))
    await log.close()
  }

  @Test("A file with changed or missing bytes yields no event that was not recorded, and ends no process")
  func damaged() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open()
    let recorded = (0..<40).map { "event \($0)" }
    for name in recorded { try await log.record(name, ["position": 3, "place": "here"]) }
    await log.close()
    let intact = try Data(contentsOf: URL(filePath: fixture.path))
    var random = SeededRandom(seed: 3)
    var (setAside, refused, shortened) = (0, 0, 0)
    for trial in 0..<160 {
      var bytes = intact
      if trial % 4 == 0 {
        bytes = bytes.prefix(Int.random(in: 1..<bytes.count, using: &random))
      } else {
        for _ in 0..<4 {
          let index = Int.random(in: 0..<bytes.count, using: &random)
          bytes[index] ^= UInt8.random(in: 1...255, using: &random)
        }
      }
      let path = fixture.folder.url.appending(path: "trial-\(trial)").path
      try bytes.write(to: URL(filePath: path))
      guard let log = try? fixture.open(at: path) else {
        refused += 1
        continue
      }
      if log.damagedFile != nil { setAside += 1 }
      let sent = fixture.uploads.value.count
      log.start()
      _ = await log.flush()
      let names = fixture.uploads.value.dropFirst(sent).flatMap { $0.events.map(\.name) }
      #expect(Set(names).isSubset(of: recorded) && names == recorded.filter(Set(names).contains))
      if names.count < recorded.count { shortened += 1 }
      await log.close()
    }
    #expect(setAside > 20 && shortened > setAside && refused < 16)
  }

  /// Records events, closes their log, and overwrites pages of its file.
  private func damage(
    _ fixture: LogFixture, count: Int, pages: (_ pageCount: Int) -> [Int]
  ) async throws -> [String] {
    let log = try fixture.open()
    let text = ActivityEvent.Value.string(String(repeating: "x", count: 400))
    for number in 0..<count { try await log.record("\(number)", ["text": text]) }
    await log.close()
    var bytes = try Data(contentsOf: URL(filePath: fixture.path))
    for page in pages(bytes.count / 4_096) {
      for index in page * 4_096..<(page + 1) * 4_096 { bytes[index] = 0xA5 }
    }
    try bytes.write(to: URL(filePath: fixture.path))
    return (0..<count).map { "\($0)" }
  }

  @Test("A damaged page that is found while the log runs costs its own events; the others are sent, in order")
  func damagedLater() async throws {
    let fixture = try LogFixture()
    // It isn't read when the file is opened.
    let recorded = try await damage(fixture, count: 600) { [$0 / 2] }
    var log = try fixture.open()
    #expect(log.damagedFile == nil)
    log.start()
    #expect(await !log.flush())
    #expect(log.stats.lastFailure?.contains("is damaged") == true)
    await log.close()
    log = try fixture.open()
    #expect(log.damagedFile != nil)
    try await log.record("new")
    let lost = log.stats.lost.damaged
    #expect((1...30).contains(lost) && log.stats.lost.total == lost)
    log.start()
    #expect(await log.flush())
    let sent = fixture.names.flatMap { $0 }
    #expect(sent.count == recorded.count - lost + 1)
    #expect(sent == (recorded + ["new"]).filter(Set(sent).contains))
    #expect(sent.first == "0" && sent.suffix(2) == ["599", "new"])
    #expect(fixture.uploads.value.reduce(0) { $0 + ($1.lost["damaged"] ?? 0) } == lost)
    await log.close()
    #expect(try fixture.open().damagedFile == nil)
  }

  @Test("Each readable page is salvaged, whichever others are damaged", arguments: [2, 3, 7])
  func damagedPages(period: Int) async throws {
    let fixture = try LogFixture()
    // The first pages hold the roots of the tables; the plan's is damaged too.
    let recorded = try await damage(fixture, count: 600) { pageCount in
      [3] + (4..<pageCount).filter { $0 % period == 0 }
    }
    let log = try fixture.open()
    #expect(log.damagedFile != nil)
    let lost = log.stats.lost.damaged
    log.start()
    #expect(await log.flush())
    let sent = fixture.names.flatMap { $0 }
    #expect(sent == recorded.filter(Set(sent).contains) && sent.count == log.stats.deliveredCount)
    #expect(Double(sent.count) > 600 * (1 - 1 / Double(period)) - 40)
    // Events before the first and after the last one that is left can't be counted without the plan.
    #expect(lost <= recorded.count - sent.count && lost >= recorded.count - sent.count - 30)
    await log.close()
  }

  @Test("A batch that may have been sent keeps its ID when the log is salvaged")
  func salvagedBatch() async throws {
    let fixture = try LogFixture { number, _ throws(NetworkError) in
      guard number > 1 else { throw NetworkError(.connect, "refused") }
      return Response(status: .noContent)
    }
    var log = try fixture.open()
    log.start()
    try await fixture.record(0..<30, in: log)
    try await fixture.waitForFailure(log)
    try await fixture.record(30..<40, in: log)
    await log.close()
    // What a running log leaves that finds damage.
    try Data().write(to: URL(filePath: fixture.path + ".damaged"))
    log = try fixture.open()
    #expect(log.damagedFile != nil && log.stats.waitingCount == 40 && log.stats.lost.total == 0)
    log.start()
    #expect(await log.flush())
    let uploads = fixture.uploads.value
    #expect(uploads.count > 2 && uploads[0].id == uploads[1].id && uploads[0].events == uploads[1].events)
    #expect(uploads.dropFirst().flatMap { $0.events.map(\.name) } == (0..<40).map { "\($0)" })
    await log.close()
  }

  @Test("A process that is killed while a damaged file is replaced loses nothing")
  func killedWhileReplacing() async throws {
    let fixture = try LogFixture()
    var log = try fixture.open()
    try await fixture.record(0..<5, in: log)
    await log.close()
    let path = fixture.path
    // Before the renaming: the replacement isn't complete.
    try Data(repeating: 1, count: 8_192).write(to: URL(filePath: path + ".salvage"))
    try Data().write(to: URL(filePath: path + ".damaged"))
    log = try fixture.open()
    #expect(log.damagedFile != nil && log.stats.waitingCount == 5)
    await log.close()
    // Between the two.
    try FileManager.default.moveItem(atPath: path, toPath: path + ".salvage")
    log = try fixture.open()
    #expect(log.damagedFile == nil && log.stats.waitingCount == 5)
    #expect(!FileManager.default.fileExists(atPath: path + ".salvage"))
    await log.close()
  }
}
#endif
