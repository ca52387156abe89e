import Measuring
import Testing

@Suite struct PairedTimesTests {
  @Test("The times are medians per call, and the difference is that within a block")
  func medians() {
    var times = PairedTimes()
    times.add(load: 30, base: 10, count: 10)
    times.add(load: 900, base: 890, count: 10)
    times.add(load: 60, base: 20, count: 10)
    #expect(times.load == 6)
    #expect(times.base == 2)
    #expect(times.difference == 2)
  }

  @Test("The blocks have all calls", arguments: [0, 1, 39, 40, 41, 1_000, 1_003])
  func sizes(count: Int) {
    let sizes = PairedTimes.sizes(count)
    #expect(sizes.reduce(0, +) == count)
    #expect(sizes.count <= 40)
    #expect(sizes.allSatisfy { $0 > 0 })
  }

  @Test("Without a block there is no time")
  func empty() {
    #expect(PairedTimes().load.isNaN)
    #expect(PairedTimes().difference.isNaN)
  }
}
