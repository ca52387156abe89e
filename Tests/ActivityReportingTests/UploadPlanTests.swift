#if SQLite
import DurableQueues
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ActivityReporting

@Suite struct UploadPlanTests {
  private let upload = ActivityUpload(
    Request(method: .post, authority: "log.example.com", path: "/activity"))
  private let now = WallTime(secondsSince1970: 1_700_000_000)

  private func plan(waiting count: Int, head: Int64 = 0) -> UploadPlan {
    var plan = UploadPlan()
    plan.head = head
    plan.lastSequence = head + Int64(count)
    plan.waiting = UploadPlan.Amount(count: count, bytes: count * 100)
    return plan
  }

  private func step(_ plan: UploadPlan, gathered: Int = 0, drained: Int64 = 0) -> UploadPlan.Step {
    plan.step(upload, now: now, gathered: .seconds(gathered), drained: drained)
  }

  @Test("A batch is formed by count, bytes, time or a flush, and otherwise events are gathered")
  func triggers() {
    let limits = UploadPlan.BatchLimits(count: 30, bytes: 512 << 10)
    #expect(step(plan(waiting: 0)) == .idle)
    #expect(step(plan(waiting: 29)) == .gather(.seconds(60)))
    #expect(step(plan(waiting: 29), gathered: 59) == .gather(.seconds(1)))
    #expect(step(plan(waiting: 29), gathered: 60) == .form(limits))
    #expect(step(plan(waiting: 30)) == .form(limits))
    var heavy = plan(waiting: 2)
    heavy.waiting.bytes = 512 << 10
    #expect(step(heavy) == .form(limits))
    #expect(step(plan(waiting: 1, head: 7), drained: 8) == .form(limits))
    #expect(step(plan(waiting: 1, head: 8), drained: 8) == .gather(.seconds(60)))
  }

  @Test("A stored batch is sent before anything else, but not during a back-off")
  func storedBatch() throws {
    var plan = plan(waiting: 40)
    plan.begin(id: "a", first: 1, last: 30)
    let batch = try #require(plan.batch)
    #expect(step(plan) == .send(batch))
    let outcome = plan.settle(
      .failed(reason: "connect", retryAfter: .seconds(9)), sequences: Array(1...30),
      amount: UploadPlan.Amount(count: 30, bytes: 3_000), batchCount: 30, now: now, random: 0)
    #expect(outcome == .keep && plan.batch == batch)
    #expect(step(plan) == .backOff(.seconds(9)))
    let later = now.advanced(by: .seconds(9))
    #expect(plan.step(upload, now: later, gathered: .zero, drained: 0) == .send(batch))
  }

  @Test("Without a network nothing is formed or sent, whatever waits")
  func offline() {
    var plan = plan(waiting: 100)
    func offlineStep() -> UploadPlan.Step {
      plan.step(upload, now: now, gathered: .seconds(600), drained: 100, isOnline: false)
    }
    #expect(offlineStep() == .offline)
    plan.begin(id: "a", first: 1, last: 30)
    #expect(offlineStep() == .offline)
  }

  /// Sends batches of events of 100 bytes until nothing is left, and returns the batches.
  private func drain(
    _ plan: inout UploadPlan, _ verdict: ([Int64]) -> DeliveryVerdict
  ) -> (sent: [[Int64]], setAside: [Int64]) {
    var (sent, setAside) = ([] as [[Int64]], [] as [Int64])
    while case .form(let limits) = step(plan, drained: plan.lastSequence), sent.count < 1_000 {
      let end = min(plan.head + Int64(limits.count), limits.through ?? .max, plan.lastSequence)
      let sequences = Array(plan.head + 1...end)
      plan.begin(id: "\(sent.count)", first: sequences[0], last: end)
      sent.append(sequences)
      let amount = UploadPlan.Amount(count: sequences.count, bytes: sequences.count * 100)
      let outcome = plan.settle(
        verdict(sequences), sequences: sequences, amount: amount, batchCount: 30, now: now, random: 0)
      if case .setAside(let batch, _) = outcome { setAside.append(batch.first) }
    }
    return (sent, setAside)
  }

  @Test(
    "Refused events are found by bisection, whichever and how many they are",
    arguments: 0..<40 as Range<UInt64>)
  func bisection(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let refused = Set(
      (0..<Int.random(in: 1...8, using: &random)).map { _ in
        Int64.random(in: 1...100, using: &random)
      })
    var plan = plan(waiting: 100)
    let (sent, setAside) = drain(&plan) { sequences in
      refused.isDisjoint(with: sequences) ? .delivered : .refused(status: 422)
    }
    #expect(setAside == refused.sorted())
    let delivered = sent.filter { refused.isDisjoint(with: $0) }.flatMap { $0 }
    #expect(delivered == (1...100).filter { !refused.contains($0) })
    #expect(plan.waiting == UploadPlan.Amount() && plan.suspects.isEmpty && plan.batch == nil)
    #expect(sent.count <= 4 + refused.count * 10)
  }

  @Test("After a 413 the size that was accepted grows by one with each delivery")
  func acceptedCount() {
    var plan = plan(waiting: 200)
    let (sent, setAside) = drain(&plan) { $0.count > 12 ? .tooLarge : .delivered }
    #expect(setAside.isEmpty)
    #expect(sent.filter { $0.count <= 12 }.flatMap { $0 } == Array(1...200))
    #expect(sent.filter { $0.count > 12 }.count <= 6)
  }

  @Test("Losses belong to one batch, and to the next one if it is split")
  func losses() {
    var plan = plan(waiting: 30)
    var loss = ActivityLoss()
    loss.beyondAge = 3
    plan.lose(loss, UploadPlan.Amount())
    plan.begin(id: "a", first: 1, last: 30)
    #expect(plan.batch?.lost == loss && plan.unreported.total == 0)
    _ = plan.settle(
      .tooLarge, sequences: Array(1...30), amount: UploadPlan.Amount(count: 30, bytes: 3_000),
      batchCount: 30, now: now, random: 0)
    #expect(plan.batch == nil && plan.unreported == loss && plan.suspects == [30, 15])
    #expect(plan.lost.total == 3)
  }

  @Test("A plan is stored whole, and each changed byte is noticed")
  func record() throws {
    var plan = plan(waiting: 40, head: 3)
    plan.lose(ActivityLoss(), UploadPlan.Amount(count: 1, bytes: 1))
    plan.begin(id: "batch", first: 4, last: 20)
    plan.suspects = [20, 12]
    plan.acceptedCount = 9
    plan.backOff.fail(retryAfter: nil, now: now, random: 0.7)
    let record = plan.record
    #expect(try UploadPlan(record: record) == plan)
    #expect(try UploadPlan(record: UploadPlan().record) == UploadPlan())
    for index in record.indices {
      var changed = record
      changed[index] ^= 0x10
      #expect(throws: RecordDamage.self) { try UploadPlan(record: changed) }
      #expect(throws: RecordDamage.self) { try UploadPlan(record: Array(record[..<index])) }
    }
  }
}
#endif
