#if SQLite
import DurableQueues
import GRDB
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import ActivityReporting

/// Events belong to the account that they were recorded for.
@Suite(.timeLimit(.minutes(5))) struct ActivityAccountTests {
  @Test("An account with a null byte is refused, because the file would cut it off there")
  func nullByte() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open()
    fixture.logIn("ann\u{0}ben", log)
    let error = await #expect(throws: QueueError.self) { try await log.record("a") }
    #expect(error?.kind == .invalid)
    #expect(log.stats.waitingCount == 0)
    await log.close()
  }

  @Test("The largest and oddest events and accounts that are accepted are read again after a restart")
  func extremes() async throws {
    let fixture = try LogFixture()
    var log = try fixture.open()
    let accounts = ["", "e\u{301}", "\n'\"%", String(repeating: "a", count: 10_000), "\u{10FFFF}"]
    let event = ActivityEvent(
      "n\u{0}", ["\u{0}": "a\u{0}b", "": .integer(.min), "x": .number(-.infinity), "y": .boolean(true)],
      time: WallTime(secondsSince1970: .min, nanoseconds: 999_999_999), id: "")
    for account in accounts {
      fixture.logIn(account, log)
      try await log.record(event)
      try await log.record("long", ["text": .string(String(repeating: "\u{7F}", count: 60_000))])
    }
    let before = try await log.peek()
    await log.close()
    log = try fixture.open()
    #expect(log.damagedFile == nil && log.stats.lost.total == 0)
    let after = try await log.peek()
    #expect(after == before && after.count == 2 * accounts.count && after.first == event)
    await log.close()
  }

  @Test("Each account's events are uploaded on its behalf, in order, and wait while another one uses the app")
  func accounts() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open(batchCount: 2)
    try await fixture.record(1...2, in: log)
    fixture.logIn("ann", log)
    try await fixture.record(3...5, in: log)
    fixture.logIn("ben", log)
    try await fixture.record(6...6, in: log)
    fixture.logIn("ann", log)
    try await fixture.record(7...7, in: log)
    #expect(log.stats.waitingCount == 7)

    fixture.logIn("ben", log)
    log.start()
    #expect(await log.flush())
    #expect(fixture.namesByAccount == ["ben: 6"])
    #expect(log.stats.waitingCount == 6, "The others' events are kept.")
    fixture.logIn("ann", log)
    #expect(await log.flush())
    #expect(fixture.namesByAccount == ["ben: 6", "ann: 3 4", "ann: 5 7"])
    fixture.logIn("", log)
    #expect(await log.flush())
    #expect(fixture.namesByAccount.last == ": 1 2" && log.stats.waitingCount == 0)
    #expect(log.stats.lost.total == 0 && log.stats.deliveredCount == 7)
    await log.close()
  }

  @Test(
    "A batch keeps its ID and content until its account is back, whatever others send meanwhile, after a restart too",
    arguments: [false, true])
  func parkedBatch(restarts: Bool) async throws {
    let refuses = Mutex(true)
    let fixture = try LogFixture { _, _ throws(NetworkError) in
      guard refuses.withLock({ $0 }) else { return Response(status: .noContent) }
      throw NetworkError(.transport, "The connection was lost.", requestMayHaveBeenProcessed: true)
    }
    var log = try fixture.open()
    fixture.logIn("ann", log)
    // Before the start, which uploads what it finds of an account that came after the file was opened. A
    // flush would be one more upload if that one had failed before it.
    try await fixture.record(1...3, in: log)
    log.start()
    try await fixture.waitForFailure(log)
    let first = try #require(fixture.uploads.value.first)
    let bytes = fixture.requests.value.first?.body.bytes

    refuses.withLock { $0 = false }
    fixture.logIn("ben", log)
    if restarts {
      await log.close()
      log = try fixture.open()
      log.start()
    }
    try await fixture.record(4...4, in: log)
    #expect(await log.flush())
    fixture.logIn("ann", log)
    try await fixture.record(5...5, in: log)
    #expect(await log.flush())
    #expect(fixture.namesByAccount == ["ann: 1 2 3", "ben: 4", "ann: 1 2 3", "ann: 5"])
    #expect(fixture.uploads.value.dropFirst(2).first == first)
    #expect(fixture.requests.value.dropFirst(2).first?.body.bytes == bytes)
    await log.close()
  }

  @Test("An upload in flight ends when another account uses the app, and nothing of the account follows")
  func inFlight() async throws {
    let fixture = try LogFixture()
    let (held, ended) = (WaitableValue(0), WaitableValue(0))
    let log = try fixture.open { server in
      try Pipeline(over: server) {
        InlineInterceptor("Line", stage: .logging) { request, next in
          guard request.context.partition == "ann" else { return try await next.dispatch(request) }
          held.update { $0 += 1 }
          do { try await ended.wait { $0 > 1 } } catch {
            ended.update { $0 += 1 }
            throw NetworkError(.cancelled(.task), "The request was cancelled.")
          }
          return Response(status: .ok)
        }
      }
    }
    fixture.logIn("ann", log)
    log.start()
    try await fixture.record(1...1, in: log)
    async let flushed = log.flush()
    _ = try await held.wait { $0 == 1 }
    fixture.logIn("ben", log)
    _ = try await ended.wait { $0 == 1 }
    #expect(await !flushed, "Its events wait for the account.")
    try await fixture.record(2...2, in: log)
    #expect(await log.flush())
    #expect(fixture.namesByAccount == ["ben: 2"])
    #expect(held.value == 1 && log.stats.waitingCount == 1)
    await log.close()
  }

  @Test("Events of no account are not sent with the credentials of an account that only the pipeline knows")
  func foreignCredentials() async throws {
    struct Login: Request.IdentityProvider {
      let identity: Request.Identity
      let traits = InterceptorTraits(stage: .authorization)
      func identity(for request: Request) -> Request.Identity? { identity }
      func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
        try await next.dispatch(request)
      }
    }
    let fixture = try LogFixture()
    let log = try fixture.open { try Pipeline(over: $0) { Login(identity: .account("ann")) } }
    log.start()
    try await fixture.record(1...1, in: log)
    #expect(await !log.flush())
    #expect(fixture.requests.value.isEmpty)
    #expect(log.stats.lastFailure == "credentials of an account" && log.stats.waitingCount == 1)
    fixture.logIn("ann", log)
    try await fixture.record(2...2, in: log)
    #expect(await log.flush())
    #expect(fixture.namesByAccount == ["ann: 2"])
    await log.close()
  }

  @Test("Each attempt says when it was sent by the device's clock, and the content is the same")
  func dates() async throws {
    let fixture = try LogFixture { number, _ throws(NetworkError) in
      Response(status: number < 3 ? .serviceUnavailable : .noContent)
    }
    let log = try fixture.open { server in
      try Pipeline(over: server) {
        // A retry within the pipeline.
        InlineInterceptor("Retry", stage: .retry) { request, next in
          let response = try await next.dispatch(request)
          guard response.status == .serviceUnavailable else { return response }
          fixture.clock.advance(by: .seconds(5))
          return try await next.dispatch(request)
        }
      }
    }
    log.start()
    try await fixture.record(1...1, in: log)
    #expect(await !log.flush())
    fixture.jump.withLock { $0 = .seconds(-3_600) }
    #expect(await log.flush())
    let requests = fixture.requests.value
    #expect(
      requests.map { $0.head.headerFields[.date] } == [
        "Tue, 14 Nov 2023 22:13:20 GMT", "Tue, 14 Nov 2023 22:13:25 GMT", "Tue, 14 Nov 2023 21:13:25 GMT",
      ])
    #expect(Set(requests.map(\.body.bytes)).count == 1)
    await log.close()
  }

  /// Changes a file's tables and plan to those of version 1.
  private func makeVersion1(_ path: String) throws {
    let file = try DatabaseQueue(path: path)
    try file.write { database in
      let row = try #require(try Row.fetchOne(database, sql: "SELECT record FROM plan"))
      // Without the number of the other accounts, which is followed by the checksum.
      let record = Array(try row.bytes("record").dropLast(16))
      var sum = RecordWriter()
      sum.append(Int64(bitPattern: RecordChecksum.of(record[...])))
      try database.execute(
        sql: "UPDATE plan SET record = ?", arguments: [StoredBytes(record + sum.finish().prefix(8))])
      try database.execute(
        sql: """
          ALTER TABLE event DROP COLUMN account; ALTER TABLE refused DROP COLUMN account;
          PRAGMA user_version = 1
          """)
    }
    try file.close()
  }

  @Test("Events of a file without accounts belong to no account, and keep their batch")
  func version1() async throws {
    let isDown = Mutex(true)
    let fixture = try LogFixture { _, batch throws(NetworkError) in
      if isDown.withLock({ $0 }) { return Response(status: .serviceUnavailable) }
      return Response(status: batch.events.contains { $0.name == "1" } ? .badRequest : .ok)
    }
    var log = try fixture.open()
    log.start()
    try await fixture.record(1...3, in: log)
    #expect(await !log.flush())
    let batch = try #require(fixture.uploads.value.first)
    try await fixture.record(4...4, in: log)
    await log.close()
    try makeVersion1(fixture.path)

    isDown.withLock { $0 = false }
    fixture.account.withLock { $0 = "ann" }
    log = try fixture.open()
    #expect(log.damagedFile == nil && log.stats.waitingCount == 4)
    log.start()
    try await fixture.record(5...5, in: log)
    #expect(await log.flush())
    #expect(fixture.namesByAccount.dropFirst() == ["ann: 5"])
    fixture.logIn("", log)
    #expect(await log.flush())
    #expect(fixture.uploads.value.dropFirst(2).first == batch, "The batch has its ID and its events.")
    #expect(Set(fixture.namesByAccount.dropFirst(2).map { $0.prefix(2) }) == [": "])
    #expect(log.stats.setAsideCount == 1 && log.stats.waitingCount == 0)
    await log.close()
    log = try fixture.open()
    #expect(try await log.peek(.setAside).map(\.name) == ["1"])
    await log.close()
  }

  @Test("Events beyond the limits are the oldest of all accounts, but not those of a batch that was sent")
  func limits() async throws {
    let isDown = Mutex(true)
    let fixture = try LogFixture { _, _ throws(NetworkError) in
      Response(status: isDown.withLock { $0 } ? .serviceUnavailable : .ok)
    }
    let log = try fixture.open(batchCount: 2, limits: ActivityLimits(count: 4))
    fixture.logIn("ann", log)
    // Before the start, so that the first batch does not depend on when it is formed.
    try await fixture.record(1...3, in: log)
    log.start()
    // Not by a flush, which would end the wait after this failure, for another attempt.
    try await fixture.waitForFailure(log)
    fixture.logIn("ben", log)
    isDown.withLock { $0 = false }
    log.networkDidChange(isAvailable: false)
    try await fixture.record(4...7, in: log)
    #expect(try await log.peek().map(\.name) == ["1", "2", "6", "7"])
    #expect(log.stats.waitingCount == 4 && log.stats.lost.beyondCount == 3)
    log.networkDidChange(isAvailable: true)
    #expect(await log.flush())
    fixture.logIn("ann", log)
    #expect(await log.flush())
    #expect(fixture.namesByAccount.dropFirst() == ["ben: 6 7", "ann: 1 2"])
    #expect(
      fixture.uploads.value.dropFirst().first?.lost["count"] == 2, "Each account learns of its own losses.")
    await log.close()
  }

  @Test("Events of an account that doesn't return grow old, those of its batch together")
  func expiry() async throws {
    let isDown = Mutex(true)
    let fixture = try LogFixture { _, _ throws(NetworkError) in
      Response(status: isDown.withLock { $0 } ? .serviceUnavailable : .ok)
    }
    let log = try fixture.open(batchCount: 2, limits: ActivityLimits(age: .seconds(100)))
    fixture.logIn("ann", log)
    try await fixture.record(1...1, in: log)
    fixture.clock.advance(by: .seconds(60))
    try await fixture.record(2...3, in: log)
    log.start()
    // Not by a flush, which would end the wait after this failure, for another attempt.
    try await fixture.waitForFailure(log)
    isDown.withLock { $0 = false }
    fixture.logIn("ben", log)
    fixture.clock.advance(by: .seconds(50))
    try await fixture.record(4...4, in: log)
    #expect(await log.flush())
    #expect(try await log.peek().map(\.name) == ["1", "2", "3"], "The batch may have been sent.")
    fixture.clock.advance(by: .seconds(60))
    try await fixture.record(5...5, in: log)
    #expect(await log.flush())
    #expect(log.stats.waitingCount == 0 && log.stats.lost.beyondAge == 3)
    fixture.logIn("ann", log)
    try await fixture.record(6...6, in: log)
    #expect(await log.flush())
    #expect(fixture.uploads.value.last?.lost["age"] == 3)
    await log.close()
  }

  @Test(
    "Whatever happens, each event is delivered once, in order, for its own account",
    arguments: 0..<10 as Range<UInt64>)
  func randomRuns(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let fails = Mutex(SeededRandom(seed: seed + 1_000))
    let fixture = try LogFixture { _, _ throws(NetworkError) in
      Response(status: fails.withLock { Int.random(in: 0..<3, using: &$0) } == 0 ? .serviceUnavailable : .ok)
    }
    var log = try fixture.open(batchCount: 3)
    log.start()
    let accounts = ["", "ann", "ben"]
    var recorded: [String: [String]] = [:]
    var present = ""
    for number in 0..<150 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        present = accounts.randomElement(using: &random) ?? ""
        fixture.logIn(present, log)
      case 1: await log.flush()
      case 2:
        await log.close()
        log = try fixture.open(batchCount: 3)
        log.start()
      default:
        recorded[present, default: []].append("\(number)")
        try await log.record("\(number)")
      }
    }
    for account in accounts {
      fixture.logIn(account, log)
      for _ in 0..<100 where await !log.flush() { fixture.clock.advance(by: .seconds(301)) }
    }
    #expect(log.stats.waitingCount == 0 && log.stats.lost.total == 0)
    var delivered: [String: [String]] = [:]
    var seen: Set<String> = []
    for (request, batch) in zip(fixture.requests.value, fixture.uploads.value)
    where seen.insert(batch.id).inserted {
      delivered[request.context.partition, default: []] += batch.events.map(\.name)
    }
    #expect(delivered == recorded)
    await log.close()
  }
}
#endif
