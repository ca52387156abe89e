import NonceStores
import Testing

@Suite struct NonceLedgerTests {
  @Test("The number of remembered nonces stays within the window's")
  func boundedSize() {
    var ledger = NonceLedger(window: 10, capacity: 1_000)
    var most = 0
    for second in 0..<5_000 {
      for number in 0..<4 {
        let verdict = ledger.record(
          keyID: "k", high: 0, low: UInt64(second * 4 + number), signedAt: Int64(second), now: Int64(second))
        #expect(verdict == .accepted)
      }
      most = max(most, ledger.count)
    }
    #expect(most == 44, "eleven seconds with four nonces each")
  }

  @Test("A nonce from the future is remembered until its own time has passed")
  func futureNonce() {
    var ledger = NonceLedger(window: 10, capacity: 10)
    #expect(ledger.record(keyID: "k", high: 0, low: 1, signedAt: 110, now: 100) == .accepted)
    #expect(ledger.record(keyID: "k", high: 0, low: 1, signedAt: 110, now: 120) == .replayed)
    #expect(ledger.count == 1)
    #expect(ledger.record(keyID: "k", high: 0, low: 2, signedAt: 121, now: 121) == .accepted)
    #expect(ledger.count == 1)
  }

  @Test("A clock that jumps ahead and back doesn't re-admit a nonce")
  func jumpingClock() {
    var ledger = NonceLedger(window: 10, capacity: 10)
    #expect(ledger.record(keyID: "k", high: 0, low: 1, signedAt: 100, now: 100) == .accepted)
    #expect(ledger.record(keyID: "k", high: 0, low: 2, signedAt: 5_000, now: 5_000) == .accepted)
    #expect(ledger.record(keyID: "k", high: 0, low: 1, signedAt: 100, now: 101) == .forgotten)
    #expect(ledger.record(keyID: "k", high: 0, low: 3, signedAt: 101, now: 101) == .accepted)
  }

  @Test("A full ledger accepts nonces again once time has passed")
  func fullLedger() {
    var ledger = NonceLedger(window: 10, capacity: 1)
    #expect(ledger.record(keyID: "k", high: 0, low: 1, signedAt: 100, now: 100) == .accepted)
    #expect(ledger.record(keyID: "k", high: 0, low: 2, signedAt: 100, now: 100) == .full)
    #expect(ledger.record(keyID: "k", high: 0, low: 2, signedAt: 111, now: 111) == .accepted)
  }

  @Test("Nonces are tracked per key")
  func perKey() {
    var ledger = NonceLedger(window: 10, capacity: 10)
    #expect(ledger.record(keyID: "a", high: 0, low: 1, signedAt: 1, now: 1) == .accepted)
    #expect(ledger.record(keyID: "b", high: 0, low: 1, signedAt: 1, now: 1) == .accepted)
    #expect(ledger.record(keyID: "a", high: 0, low: 1, signedAt: 1, now: 1) == .replayed)
  }
}
