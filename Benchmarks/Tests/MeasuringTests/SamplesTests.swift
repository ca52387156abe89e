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

  @Test("The middle half leaves out a quarter of the values on each side")
  func middleHalf() {
    #expect(Samples([9, 1, 2, 3, 4, 5, 6, 7, 8, 0, 10]).middleHalf == 2...8)
    #expect(Samples([3, 1, 2]).middleHalf == 1...3)
    #expect(Samples([1, 2]).middleHalf == nil)
  }

  @Test("Ratios are those of the same round")
  func ratios() {
    #expect(Samples([2, 9, 5]).ratios(to: Samples([1, 3, 0])) == Samples([2, 3]))
  }

  @Test("Without values there is no median and no range")
  func empty() {
    #expect(Samples().median == nil)
    #expect(Samples().range == nil)
  }
}
