import Testing

@testable import RequestRetry

@Suite struct HedgeRaceTests {
  @Test(
    "An attempt that ends before the delay ends the race, whatever its outcome", arguments: [true, false])
  func early(_ isFinal: Bool) {
    var race = HedgeRace()
    #expect(race.attemptEnded(isFinal: isFinal) == .finish)
    #expect(!race.isHedged)
    #expect(race.delayElapsed(mayHedge: true) == .wait)
  }

  @Test("The hedge is started once, and only if it is allowed")
  func starting() {
    var race = HedgeRace()
    #expect(race.delayElapsed(mayHedge: false) == .wait)
    #expect(!race.isHedged)
    #expect(race.delayElapsed(mayHedge: true) == .startHedge)
    #expect(race.isHedged)
    #expect(race.delayElapsed(mayHedge: true) == .wait)
  }

  @Test("A final outcome ends the race, and a failure leaves it to the other attempt")
  func ending() {
    var won = HedgeRace()
    _ = won.delayElapsed(mayHedge: true)
    #expect(won.attemptEnded(isFinal: true) == .finish)
    var failed = HedgeRace()
    _ = failed.delayElapsed(mayHedge: true)
    #expect(failed.attemptEnded(isFinal: false) == .wait)
    #expect(failed.attemptEnded(isFinal: false) == .finish)
  }
}
