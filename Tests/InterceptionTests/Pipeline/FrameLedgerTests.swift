import Testing

@testable import Interception

@Suite("Own times")
struct FrameLedgerTests {
  private let step = PipelineEvent.Step.dispatcher("d")

  @Test("A step's own time is its total minus that of its children")
  func nested() {
    var ledger = FrameLedger()
    let outer = ledger.enter(step, parent: nil, at: .seconds(0))
    let inner = ledger.enter(step, parent: outer, at: .seconds(2))
    let innerTimes = ledger.leave(inner, at: .seconds(7))
    #expect(innerTimes == (.seconds(5), .seconds(5)))
    let outerTimes = ledger.leave(outer, at: .seconds(10))
    #expect(outerTimes == (.seconds(5), .seconds(10)))
  }

  @Test("The times of consecutive children are added")
  func sequence() {
    var ledger = FrameLedger()
    let outer = ledger.enter(step, parent: nil, at: .zero)
    for start in [1, 4] {
      let child = ledger.enter(step, parent: outer, at: .seconds(start))
      _ = ledger.leave(child, at: .seconds(start + 2))
    }
    let outerTimes = ledger.leave(outer, at: .seconds(10))
    #expect(outerTimes == (.seconds(6), .seconds(10)))
  }

  @Test("Concurrent children are counted once")
  func overlapping() {
    var ledger = FrameLedger()
    let outer = ledger.enter(step, parent: nil, at: .zero)
    let first = ledger.enter(step, parent: outer, at: .seconds(1))
    let second = ledger.enter(step, parent: outer, at: .seconds(2))
    _ = ledger.leave(first, at: .seconds(5))
    _ = ledger.leave(second, at: .seconds(6))
    let outerTimes = ledger.leave(outer, at: .seconds(6))
    #expect(outerTimes == (.seconds(1), .seconds(6)))
  }

  @Test("A child that its parent does not wait for is counted until the parent ends")
  func abandoned() {
    var ledger = FrameLedger()
    let outer = ledger.enter(step, parent: nil, at: .zero)
    _ = ledger.enter(step, parent: outer, at: .seconds(1))
    let outerTimes = ledger.leave(outer, at: .seconds(3))
    #expect(outerTimes == (.seconds(1), .seconds(3)))
  }

  @Test("A cache status is reported once per call")
  func news() {
    var ledger = FrameLedger()
    let news = [nil, .hit(ttl: 3), .hit(ttl: 3)].map { ledger.isNews($0) }
    #expect(news == [false, true, false])
  }
}
