import SwitchyardTesting
import Testing

@testable import RequestRetry

@Suite struct RetryBackOffTests {
  @Test(
    "The limit doubles with each attempt up to the cap",
    arguments: [(1, 200), (2, 400), (3, 800), (7, 12_800), (8, 20_000), (1_000, 20_000), (Int.max, 20_000)])
  func limits(attempt: Int, milliseconds: Int) {
    let backOff = RetryBackOff()
    #expect(backOff.wait(afterAttempt: attempt, random: 0) == .zero)
    #expect(backOff.wait(afterAttempt: attempt, random: 0.5) == .milliseconds(milliseconds) / 2)
  }

  @Test("Waits are spread over the whole range")
  func spread() {
    var random = SeededRandom(seed: 1)
    let waits = (0..<1_000).map { _ in
      RetryBackOff(base: .seconds(1)).wait(
        afterAttempt: 1, random: Double.random(in: 0..<1, using: &random))
    }
    for tenth in 0..<10 {
      let part = Duration.milliseconds(100 * tenth)..<Duration.milliseconds(100 * (tenth + 1))
      #expect((60...140).contains(waits.count { part.contains($0) }))
    }
  }

  @Test("Values without a meaning are replaced by the nearest meaningful ones")
  func bounds() {
    #expect(RetryBackOff(base: .seconds(-1)).wait(afterAttempt: 9, random: 0.9) == .zero)
    #expect(RetryBackOff(base: .zero).wait(afterAttempt: .max, random: 0.9) == .zero)
    #expect(RetryBackOff(cap: .seconds(-1)).wait(afterAttempt: 9, random: 0.9) == .zero)
    let long = RetryBackOff(base: .seconds(Int64.max), cap: .seconds(Int64.max))
    #expect(long.wait(afterAttempt: 9, random: 0.5) == .seconds(43_200))
  }
}
