import Measuring
import Testing

@Suite struct SamplesTests {
  @Test(arguments: [([3.0, 1, 2], 2.0), ([4.0, 1, 2, 3], 2.5), ([7.0], 7.0)])
  func `the median is the middle of the sorted values`(values: [Double], median: Double) {
    #expect(Samples(values).median == median)
  }

  @Test func `one outlier among five does not move the median`() {
    var samples = Samples([10, 11, 12, 13])
    samples.add(90_000)
    #expect(samples.median == 12)
    #expect(samples.range == 10...90_000)
  }

  @Test func `without a value there is no median and no range`() {
    #expect(Samples().median == nil)
    #expect(Samples().range == nil)
  }
}
