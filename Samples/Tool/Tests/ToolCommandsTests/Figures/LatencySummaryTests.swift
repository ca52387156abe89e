import Testing
import ToolCommands

@Suite struct LatencySummaryTests {
  @Test(
    "A percentile is the nearest rank, one of the times",
    arguments: [(0.0, 1), (0.5, 50), (0.501, 51), (0.9, 90), (0.99, 99), (1, 100), (7, 100), (-1, 1)])
  func percentiles(share: Double, milliseconds: Int) {
    let summary = LatencySummary((1...100).map { .milliseconds($0) }.shuffled())
    #expect(summary.percentile(share) == .milliseconds(milliseconds))
  }

  @Test("One time is every percentile, and none has none")
  func few() {
    #expect(LatencySummary([.seconds(1)]).named.map(\.time) == Array(repeating: .seconds(1), count: 6))
    #expect(LatencySummary([]).percentile(0.5) == nil)
    #expect(LatencySummary([]).named.isEmpty)
    #expect(Histogram(LatencySummary([])).bins.isEmpty)
  }

  @Test(
    "The ranges of a histogram have every time once, and the last one has those above the 99th percentile")
  func histogram() {
    let times = (1...99).map { Duration.milliseconds($0) } + [.seconds(10)]
    let histogram = Histogram(LatencySummary(times), bins: 7)
    #expect(histogram.bins.map(\.count).reduce(0, +) == 100)
    #expect(histogram.bins.count == 8)
    #expect(histogram.bins[6].upTo == .milliseconds(99))
    #expect(histogram.bins.last == Histogram.Bin(upTo: .seconds(10), count: 1))
  }

  @Test("Equal times are one range")
  func equal() {
    let histogram = Histogram(LatencySummary(Array(repeating: .milliseconds(5), count: 9)))
    #expect(histogram.bins == [Histogram.Bin(upTo: .milliseconds(5), count: 9)])
    #expect(histogram.lines(width: 3) == ["≤ 5.00 ms  9  ███"])
  }

  @Test("Bars are in proportion, and an empty range has none")
  func lines() {
    let histogram = Histogram(LatencySummary([1, 1, 1, 1, 10].map { .milliseconds($0) }), bins: 3)
    #expect(histogram.lines(width: 4) == ["≤ 4.00 ms  4  ████", "≤ 7.00 ms  0", "≤ 10.0 ms  1  █"])
  }
}
