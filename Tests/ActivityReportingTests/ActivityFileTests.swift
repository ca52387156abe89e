#if SQLite
import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ActivityReporting

@Suite(.timeLimit(.minutes(5))) struct ActivityFileTests {
  private func kind(_ open: () throws -> ActivityLog) -> ActivityLogError.Kind? {
    do {
      _ = try open()
      return nil
    } catch { return (error as? ActivityLogError)?.kind }
  }

  @Test("A file has one owner; a second log is refused until the first one is closed")
  func oneOwner() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open()
    #expect(kind { try fixture.open() } == .occupied)
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
    while next == nil {
      next = try? fixture.open()
      await Task.yield()
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
    #expect(kind { try fixture.open() } == .foreign)
    #expect(try Data(contentsOf: URL(filePath: fixture.path)) == bytes)
  }

  @Test("A full file refuses events with an error, and keeps those that it has acknowledged")
  func full() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open(batchCount: 5_000, maximumPages: 40)
    var recorded = 0
    let text = ActivityEvent.Value.string(String(repeating: "x", count: 500))
    let error = await #expect(throws: ActivityLogError.self) {
      while recorded < 10_000 {
        try await log.record("\(recorded)", ["text": text])
        recorded += 1
      }
    }
    #expect(error?.kind == .full && error?.description.contains("free space") == true)
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
    let error = #expect(throws: ActivityLogError.self) { try fixture.open(at: fixture.path + "/none/x") }
    #expect(error?.kind == .unusable && error?.description.contains("check its folder") == true)
  }

  @Test("A file that is deleted while it is open is noticed")
  func deleted() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open()
    try await log.record("1")
    try FileManager.default.removeItem(atPath: fixture.path)
    let error = await #expect(throws: ActivityLogError.self) { try await log.record("2") }
    #expect(error?.kind == .replaced)
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

  @Test("A file that is found damaged while it is used is set aside at the next start")
  func damagedLater() async throws {
    let fixture = try LogFixture()
    var log = try fixture.open()
    for number in 0..<200 {
      try await log.record("\(number)", ["text": .string(String(repeating: "x", count: 400))])
    }
    await log.close()
    var bytes = try Data(contentsOf: URL(filePath: fixture.path))
    // Pages in the middle, which are not read when the file is opened.
    let middle = bytes.count / 2 / 4_096 * 4_096
    for index in middle..<middle + 8_192 { bytes[index] = 0xA5 }
    try bytes.write(to: URL(filePath: fixture.path))
    log = try fixture.open()
    #expect(log.damagedFile == nil)
    log.start()
    #expect(await !log.flush())
    #expect(log.stats.lastFailure?.contains("is damaged") == true)
    await log.close()
    log = try fixture.open()
    #expect(log.damagedFile != nil)
    try await log.record("new")
    log.start()
    #expect(await log.flush())
    #expect(fixture.names.last == ["new"])
    await log.close()
  }
}
#endif
