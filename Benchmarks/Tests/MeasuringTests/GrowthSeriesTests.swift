import Foundation
import Measuring
import Testing

@Suite("A series of growing numbers of units")
struct GrowthSeriesTests {
  private static let sizes = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384]

  private func series(_ sizes: [Int] = sizes, _ value: (Double) -> Double) -> GrowthSeries {
    GrowthSeries(sizes.map { .init(size: $0, value: value(Double($0))) })
  }

  @Test("n log n has the exponent 0")
  func logarithm() throws {
    let exponent = try #require(series { 3 * log2($0 + 1) }.exponent)
    #expect(abs(exponent) < 1e-9)
  }

  @Test("Linear time, a constant per unit, has a negative exponent")
  func linear() throws {
    let exponent = try #require(series { _ in 7 }.exponent)
    #expect(exponent < -0.1)
  }

  @Test("A fixed part that is spread over more units has a negative exponent")
  func fixedPart() throws {
    #expect(try #require(series { 7 + 1_000 / $0 }.exponent) < -0.1)
  }

  @Test(
    "Powers of n are found, of all sizes and of the large ones",
    arguments: [(2.0, 0.8...1.0), (1.5, 0.3...0.5), (3, 1.8...2.0)])
  func power(power: Double, range: ClosedRange<Double>) throws {
    #expect(range.contains(try #require(series { pow($0, power - 1) }.exponent)))
  }

  @Test("n² that begins above a constant part at large sizes is found by the last sizes")
  func quadraticTail() throws {
    // Twice the time at the largest size than at the smallest would also be a logarithm's.
    #expect(try #require(series { 1 + $0 / 4_096 }.exponent) > 0.2)
    #expect(try #require(series { 1 + $0 / 1_024 }.exponent) > 0.4)
  }

  @Test("A single step by the processor's caches, to twice the time, stays below 0.15")
  func cacheStep() throws {
    #expect(try #require(series { $0 > 256 ? 2 : 1 }.exponent) < 0.15)
    #expect(try #require(series { $0 > 1_024 ? 2 : 1 }.exponent) < 0.15)
  }

  @Test("The order in which points are added does not matter, and invalid ones are ignored")
  func order() {
    let points = Self.sizes.map { GrowthSeries.Point(size: $0, value: Double($0)) }
    let invalid = [(0, 1.0), (3, 0), (5, .nan), (7, -1), (9, .infinity)].map {
      GrowthSeries.Point(size: $0.0, value: $0.1)
    }
    #expect(GrowthSeries(points.reversed() + invalid) == GrowthSeries(points))
  }

  @Test("Fewer than three sizes have no exponent")
  func fewSizes() {
    #expect(series([1, 10]) { $0 }.exponent == nil)
    #expect(series([1, 10, 100]) { $0 }.exponent != nil)
  }
}
