import Testing

@testable import Mediation

@Suite struct PageLedgerTests {
  @Test("An id is free again once its final reply has been taken")
  func freeID() {
    var ledger = PageLedger(limit: 2)
    same(ledger.begin("a"), .begins(serial: 1))
    same(ledger.begin("a"), .duplicate)
    ledger.end("a", 1, .success(.null))
    same(ledger.begin("a"), .duplicate)
    same(ledger.next(), PageReply(id: "a", event: .success(.null)))
    same(ledger.begin("a"), .begins(serial: 2))
  }

  @Test("A call ends once, and nothing follows")
  func singleEnd() {
    var ledger = PageLedger(limit: 2)
    same(ledger.begin("a"), .begins(serial: 1))
    ledger.end("a", 1, .failure(.failed))
    ledger.end("a", 1, .success(.null))
    ledger.report("a", 1, .int(1))
    same(ledger.next(), PageReply(id: "a", event: .failure(.failed)))
    same(ledger.next(), nil)
  }

  @Test("An earlier call cannot reply for a later one with the same id")
  func sameID() {
    var ledger = PageLedger(limit: 2)
    same(ledger.begin("a"), .begins(serial: 1))
    ledger.end("a", 1, .success(.null))
    _ = ledger.next()
    same(ledger.begin("a"), .begins(serial: 2))
    ledger.report("a", 1, .int(1))
    ledger.end("a", 1, .success(.int(1)))
    same(ledger.next(), nil)
    ledger.report("a", 2, .int(2))
    same(ledger.next(), PageReply(id: "a", event: .progress(.int(2))))
  }

  @Test("Of the waiting progress replies only the latest is sent, before the final reply")
  func latestProgress() {
    var ledger = PageLedger(limit: 2)
    same(ledger.begin("a"), .begins(serial: 1))
    for number in 1...1000 { ledger.report("a", 1, .int(number)) }
    ledger.end("a", 1, .success(.null))
    same(ledger.next(), PageReply(id: "a", event: .progress(.int(1000))))
    same(ledger.next(), PageReply(id: "a", event: .success(.null)))
    same(ledger.next(), nil)
  }

  @Test("Calls and replies are bounded")
  func bounds() {
    var ledger = PageLedger(limit: 2)
    same(ledger.begin("a"), .begins(serial: 1))
    same(ledger.begin("b"), .begins(serial: 2))
    var answers: [PageLedger.Entry] = []
    for number in 0..<10 {
      let entry = ledger.begin("c\(number)")
      if entry == .busy { ledger.refuse("c\(number)", .busy) }
      answers.append(entry)
    }
    #expect(answers == Array(repeating: .busy, count: 6) + Array(repeating: .flooded, count: 4))
  }

  @Test("Nothing is sent after the ledger is closed")
  func closed() {
    var ledger = PageLedger(limit: 2)
    same(ledger.begin("a"), .begins(serial: 1))
    ledger.report("a", 1, .int(1))
    ledger.close()
    ledger.end("a", 1, .success(.null))
    same(ledger.next(), nil)
    same(ledger.begin("b"), .closed)
  }
}
