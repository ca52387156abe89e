import Measuring
import Testing

@Suite struct SamplesTests {
  @Test(
    "The median is the middle of the sorted values",
    arguments: [([3.0, 1, 2], 2.0), ([4.0, 1, 2, 3], 2.5), ([7.0], 7.0)])
  func median(values: [Double], median: Double) {
    #expect(Samples(values).median == median)
  }

  @Test("One outlier among five does not change the median")
  func outlier() {
    var samples = Samples([10, 11, 12, 13])
    samples.add(90_000)
    #expect(samples.median == 12)
    #expect(samples.range == 10...90_000)
  }

  @Test("Without values there is no median and no range")
  func empty() {
    #expect(Samples().median == nil)
    #expect(Samples().range == nil)
  }
}
