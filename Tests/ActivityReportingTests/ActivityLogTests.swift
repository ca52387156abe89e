#if SQLite
import DurableQueues
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import ActivityReporting

@Suite(.timeLimit(.minutes(5))) struct ActivityLogTests {
  private func names(_ range: some Sequence<Int>) -> [String] { range.map { "\($0)" } }

  @Test(
    "E12: 30 events are uploaded at once, fewer after 60 s or when flushed, and leftovers at launch, in order"
  )
  func batches() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open()
    log.start()
    try await fixture.record(0..<30, in: log)
    try await fixture.waitForUploads(1)
    #expect(fixture.names == [names(0..<30)])
    #expect(await log.flush())

    try await fixture.record(30..<59, in: log)
    try await fixture.clock.waitForSleepers()
    // The wait begins when the task has noticed the events, which may be after some of these seconds.
    var seconds = 0
    try await waitUntil("the second upload has begun") {
      guard fixture.uploads.value.count < 2 else { return true }
      fixture.clock.advance(by: .seconds(1))
      seconds += 1
      return false
    }
    #expect(seconds >= 60)
    #expect(fixture.names.last == names(30..<59))

    try await fixture.record(59..<61, in: log)
    #expect(await log.flush())
    #expect(fixture.names.last == names(59..<61))
    #expect(log.stats.waitingCount == 0 && log.stats.deliveredCount == 61)

    try await fixture.record(61..<64, in: log)
    await log.close()
    let next = try fixture.open()
    #expect(try await next.peek().map(\.name) == names(61..<64))
    next.start()
    try await fixture.waitForUploads(4)
    #expect(fixture.names.last == names(61..<64))
    #expect(Set(fixture.uploads.value.map(\.id)).count == 4)
    await next.close()
  }

  @Test("Concurrent events share transactions, and each is delivered once")
  func groups() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open(batchCount: 100)
    log.start()
    try await withThrowingTaskGroup { group in
      for recorder in 0..<8 {
        group.addTask {
          for number in 0..<50 { try await log.record("\(recorder * 50 + number)") }
        }
      }
      try await group.waitForAll()
    }
    #expect(await log.flush())
    #expect(fixture.names.joined().compactMap { Int($0) }.sorted() == Array(0..<400))
    #expect(fixture.names.allSatisfy { $0.count <= 100 })
    await log.close()
  }

  @Test("A failed batch is sent again with the same ID and events, after a wait that survives a restart")
  func backOff() async throws {
    let fixture = try LogFixture { number, _ throws(NetworkError) in
      switch number {
      case 1: throw NetworkError(.connect, "There is no connection.")
      case 2: return Response(status: .serviceUnavailable, headerFields: [.retryAfter: "86400"])
      default: return Response(status: .noContent)
      }
    }
    var log = try fixture.open()
    log.start()
    try await fixture.record(0..<30, in: log)
    try await fixture.waitForFailure(log)
    try await fixture.record(30..<32, in: log)
    #expect(log.stats.lastFailure == "connect" && log.stats.failedUploads == 1)
    // A half of the limit of 1 s.
    #expect(log.stats.nextUpload == LogFixture.start.advanced(by: .milliseconds(500)))
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .milliseconds(500))
    try await fixture.waitForUploads(2)
    #expect(await !log.flush())
    await log.close()

    log = try fixture.open()
    // The server requests a day, of which 5 min are waited.
    let end = LogFixture.start.advanced(by: .milliseconds(300_500))
    #expect(log.stats.nextUpload == end && log.stats.failedUploads == 2)
    log.start()
    #expect(await !log.flush())
    #expect(fixture.uploads.value.count == 2)
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(300))
    try await fixture.waitForUploads(4)
    let uploads = fixture.uploads.value
    #expect(uploads[0] == uploads[1] && uploads[1] == uploads[2])
    #expect(uploads[3].events.map(\.name) == ["30", "31"])
    await log.close()
  }

  @Test("Without a network nothing is uploaded, and what waits is uploaded when it returns")
  func network() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open(batchCount: 2)
    log.networkDidChange(isAvailable: false)
    log.start()
    try await fixture.record(0..<5, in: log)
    #expect(await !log.flush())
    #expect(fixture.uploads.value.isEmpty && log.stats.waitingCount == 5)
    log.networkDidChange(isAvailable: true)
    #expect(await log.flush())
    #expect(fixture.names == [["0", "1"], ["2", "3"], ["4"]])
    await log.close()
  }

  @Test("A network that returns ends the wait after a failure, and not one that the server has asked for")
  func networkAfterFailure() async throws {
    let fixture = try LogFixture { number, _ throws(NetworkError) in
      switch number {
      case 1: throw NetworkError(.connect, "Refused.")
      case 3: Response(status: .serviceUnavailable, headerFields: [.retryAfter: "20"])
      default: Response(status: .noContent)
      }
    }
    let log = try fixture.open(batchCount: 1)
    log.start()
    try await fixture.record([0], in: log)
    try await fixture.waitForFailure(log)
    log.networkDidChange(isAvailable: false)
    log.networkDidChange(isAvailable: true)
    try await fixture.waitForUploads(2)
    try await waitUntil("no event waits") { log.stats.waitingCount == 0 }
    try await fixture.record([1], in: log)
    try await fixture.waitForUploads(3)
    try await fixture.waitForFailure(log)
    log.networkDidChange(isAvailable: false)
    log.networkDidChange(isAvailable: true)
    try await fixture.clock.waitForSleepers()
    #expect(fixture.uploads.value.count == 3)
    // A timer of the wait before may be the sleeper, so the clock is advanced until the present one ends.
    try await waitUntil("the event is sent again") {
      fixture.clock.advance(by: .seconds(5))
      return fixture.uploads.value.count >= 4
    }
    await log.close()
  }

  @Test("A flush ends the wait after a failure, whose reason and end are shown, after a restart too")
  func flushAfterFailure() async throws {
    let fixture = try LogFixture { number, _ throws(NetworkError) in
      Response(status: number == 1 ? .serviceUnavailable : .noContent)
    }
    var log = try fixture.open()
    log.start()
    try await fixture.record(0..<30, in: log)
    try await fixture.waitForFailure(log)
    await log.close()
    log = try fixture.open()
    #expect(log.stats.lastFailure == "status 503" && log.stats.failedUploads == 1)
    #expect(log.stats.nextUpload == LogFixture.start.advanced(by: .milliseconds(500)))
    log.start()
    #expect(await log.flush())
    #expect(log.stats.lastFailure == nil && log.stats.deliveredCount == 30)
    await log.close()
  }

  @Test("A clock that is set forward removes no event, while the log is open and before its next start")
  func clockSetForward() async throws {
    let fixture = try LogFixture()
    var log = try fixture.open()
    try await fixture.record(0..<3, in: log)
    fixture.jump.withLock { $0 = .seconds(30 * 86_400) }
    log.start()
    #expect(await log.flush())
    await log.stop()
    try await fixture.record(3..<5, in: log)
    await log.close()
    fixture.jump.withLock { $0 = .seconds(300 * 86_400) }
    log = try fixture.open()
    log.start()
    #expect(await log.flush())
    #expect(fixture.names == [names(0..<3), names(3..<5)] && log.stats.lost.total == 0)
    // Time that really passes still counts.
    await log.stop()
    try await fixture.record(5..<6, in: log)
    fixture.clock.advance(by: .seconds(7 * 86_400 + 2))
    log.start()
    #expect(await log.flush())
    #expect(log.stats.lost.beyondAge == 1)
    await log.close()
  }

  @Test("A batch that is too large is halved, and a single event that is too large is set aside")
  func tooLarge() async throws {
    let fixture = try LogFixture { _, batch throws(NetworkError) in
      let isAccepted = batch.events.count <= 4 && !batch.events.contains { $0.name == "9" }
      return Response(status: isAccepted ? .ok : .contentTooLarge)
    }
    let log = try fixture.open(batchCount: 16)
    log.start()
    try await fixture.record(0..<32, in: log)
    #expect(await log.flush())
    let delivered = fixture.uploads.value.filter { batch in
      batch.events.count <= 4 && !batch.events.contains { $0.name == "9" }
    }
    #expect(delivered.flatMap { $0.events.map(\.name) } == names((0..<32).filter { $0 != 9 }))
    #expect(try await log.peek(.setAside).map(\.name) == ["9"])
    // The size that was accepted is remembered for the next batches, not found again by halving.
    #expect(fixture.uploads.value.count < 24)
    await log.close()
  }

  @Test("An event that the server refuses is found by bisection and set aside, the others are delivered")
  func poisoned() async throws {
    let poisoned: Set = ["3", "17"]
    let fixture = try LogFixture { _, batch throws(NetworkError) in
      Response(status: batch.events.contains { poisoned.contains($0.name) } ? .badRequest : .ok)
    }
    let log = try fixture.open()
    log.start()
    try await fixture.record(0..<30, in: log)
    #expect(await log.flush())
    let delivered = fixture.uploads.value.filter { batch in
      !batch.events.contains { poisoned.contains($0.name) }
    }
    #expect(delivered.flatMap { $0.events.map(\.name) } == names((0..<30).filter { $0 != 3 && $0 != 17 }))
    // Two events, each found by at most 5 halvings of 30.
    #expect(fixture.uploads.value.count <= 22)
    #expect(try await log.peek(.setAside).map(\.name) == ["3", "17"])
    #expect(log.stats.setAsideCount == 2 && log.stats.lost.total == 0)
    try await log.restore()
    #expect(log.stats.setAsideCount == 0 && log.stats.waitingCount == 2)
    #expect(await log.flush())
    try await log.purge(.setAside)
    #expect(try await log.peek(.setAside).isEmpty)
    await log.close()
  }

  @Test("A server that refuses everything is not flooded")
  func refusingServer() async throws {
    let fixture = try LogFixture { _, _ throws(NetworkError) in Response(status: .notFound) }
    let log = try fixture.open()
    log.start()
    try await fixture.record(0..<300, in: log)
    try await fixture.waitForFailure(log)
    #expect(fixture.uploads.value.count == 21)
    #expect(await !log.flush())
    // The flush has ended the wait of the first failure, for one request.
    #expect(fixture.uploads.value.count == 22)
    #expect(log.stats.waitingCount + log.stats.setAsideCount == 300)
    await log.close()
  }

  @Test("The oldest events beyond the limits are removed, counted, and reported with the next batch")
  func limits() async throws {
    let fixture = try LogFixture()
    let limits = ActivityLimits(count: 50, age: .seconds(3_600), eventBytes: 2_000)
    let log = try fixture.open(limits: limits)
    try await fixture.record(0..<80, in: log)
    #expect(try await log.peek().map(\.name) == names(30..<80))
    #expect(log.stats.lost.beyondCount == 30)
    fixture.clock.advance(by: .seconds(3_602))
    try await fixture.record(80..<85, in: log)
    log.start()
    #expect(await log.flush())
    #expect(fixture.names == [names(80..<85)])
    #expect(
      fixture.uploads.value[0].lost == ["count": 35, "bytes": 0, "age": 45, "setAside": 0, "damaged": 0])
    #expect(log.stats.lost.total == 80)
    let error = await #expect(throws: QueueError.self) {
      try await log.record("long", ["text": .string(String(repeating: "x", count: 3_000))])
    }
    #expect(error?.kind == .tooLarge)
    #expect(error?.description.contains("shorten") == true)
    await log.close()
  }

  @Test("The limit of bytes keeps the newest events, and never removes those of a batch")
  func byteLimit() async throws {
    let fixture = try LogFixture { number, _ throws(NetworkError) in
      Response(status: number == 1 ? .internalServerError : .ok)
    }
    let log = try fixture.open(batchCount: 5, limits: ActivityLimits(bytes: 4_000))
    log.start()
    try await fixture.record(0..<5, in: log)
    try await fixture.waitForFailure(log)
    try await fixture.record(5..<100, in: log)
    let waiting = try await log.peek(limit: 1_000).map(\.name)
    #expect(waiting.prefix(5) == ["0", "1", "2", "3", "4"] && waiting.last == "99")
    #expect(log.stats.waitingBytes <= 4_000 && log.stats.lost.beyondBytes == 100 - waiting.count)
    fixture.clock.advance(by: .seconds(1))
    #expect(await log.flush())
    #expect(fixture.uploads.value[0] == fixture.uploads.value[1])
    #expect(fixture.names.dropFirst().joined().map { $0 } == waiting)
    await log.close()
  }

  @Test("Purging while a batch is sent removes what waits, and the batch is not sent again")
  func purge() async throws {
    let fixture = try LogFixture { number, _ throws(NetworkError) in
      Response(status: number == 1 ? .badGateway : .ok)
    }
    let log = try fixture.open(batchCount: 5)
    log.start()
    try await fixture.record(0..<5, in: log)
    try await fixture.waitForFailure(log)
    try await fixture.record(5..<8, in: log)
    try await log.purge(.waiting)
    #expect(log.stats.waitingCount == 0 && log.stats.batchID == nil && log.stats.lost.total == 0)
    try await fixture.record(8..<10, in: log)
    fixture.clock.advance(by: .seconds(1))
    #expect(await log.flush())
    #expect(fixture.names == [names(0..<5), names(8..<10)])
    await log.close()
  }

  @Test("Stopping and starting at the same time leaves a log that uploads each batch once")
  func restarts() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open(batchCount: 3)
    for round in 0..<50 {
      log.start()
      try await log.record("\(round)")
      async let stopped: Void = log.stop()
      log.start()
      await stopped
    }
    await log.stop()
    log.start()
    #expect(await log.flush())
    var seen: Set<String> = []
    let batches = fixture.uploads.value.filter { seen.insert($0.id).inserted }
    #expect(batches.flatMap { $0.events.map(\.name) } == names(0..<50))
    await log.close()
  }

  @Test("Events beyond what may wait for the disk are refused, and the others are stored")
  func overloaded() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open(limits: ActivityLimits(bytes: 1 << 30))
    let gate = DispatchSemaphore(value: 0)
    log.storage.file.schedule { _ in _ = gate.wait(timeout: .now() + 20) }
    let text = ActivityEvent.Value.string(String(repeating: "x", count: 60_000))
    let refused = WaitableValue(0)
    let stored = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<400 {
        group.addTask {
          do throws(QueueError) {
            try await log.record("\(number)", ["text": text])
            return true
          } catch {
            #expect(error.kind == .queueFull)
            refused.update { $0 += 1 }
            return false
          }
        }
      }
      _ = try? await refused.wait { $0 > 100 }
      gate.signal()
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(stored == 400 - refused.value && (270..<300).contains(stored))
    #expect(log.stats.waitingCount == stored)
    await log.close()
  }

  @Test("Nothing is uploaded before the start or after the stop, and a flush then returns false")
  func stopped() async throws {
    let fixture = try LogFixture()
    let log = try fixture.open(batchCount: 2)
    try await fixture.record(0..<4, in: log)
    #expect(await !log.flush())
    log.start()
    log.start()
    #expect(await log.flush())
    await log.stop()
    try await fixture.record(4..<6, in: log)
    #expect(await !log.flush())
    #expect(fixture.names == [["0", "1"], ["2", "3"]])
    await log.close()
    let error = await #expect(throws: QueueError.self) { try await log.record("late") }
    #expect(error?.kind == .file(.closed))
  }
}
#endif
