import Measuring
import Testing

@Suite struct BarTests {
  @Test(
    "A bar is reached from its own side, the bar itself included",
    arguments: [
      (Bar.ratioAtLeast(0.9), 90.0, 100.0 as Double?, true), (.ratioAtLeast(0.9), 89, 100, false),
      (.ratioAtMost(1.1), 110, 100, true), (.ratioAtMost(1.1), 111, 100, false),
      (.atMost(0), 0, nil, true), (.atMost(0), 0.01, nil, false), (.atMost(64), 64, 1, true),
      (.atMostAbovePeer(0.5), 1.5, 1, true), (.atMostAbovePeer(0.5), 1.6, 1, false),
      (.atMostAbovePeer(0.5), 0, nil, false), (.atLeast(20), 20, nil, true), (.atLeast(20), 19.9, 100, false),
    ])
  func reached(bar: Bar, ours: Double, peer: Double?, isReached: Bool) {
    #expect(bar.isReached(ours: ours, peer: peer) == isReached)
  }

  @Test("A ratio without a peer reaches no bar", arguments: [nil, 0.0])
  func withoutPeer(peer: Double?) {
    #expect(!Bar.ratioAtLeast(0).isReached(ours: 1, peer: peer))
    #expect(!Bar.ratioAtMost(9).isReached(ours: 1, peer: peer))
  }

  @Test("NaN reaches no bar")
  func notANumber() {
    #expect(!Bar.atMost(1).isReached(ours: .nan, peer: nil))
    #expect(!Bar.atLeast(1).isReached(ours: .nan, peer: nil))
    #expect(!Bar.ratioAtLeast(0.5).isReached(ours: .nan, peer: 1))
  }
}
