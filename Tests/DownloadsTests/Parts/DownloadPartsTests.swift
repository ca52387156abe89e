import Testing

@testable import Downloads

@Suite("The parts of a file")
struct DownloadPartsTests {
  @Test(
    "A file is divided after its first part into equal ones of at least the minimum length",
    arguments: [
      (100, 20, 4, [20, 20, 20, 20, 20]), (100, 20, 3, [20, 26, 27, 27]), (100, 20, 1, [20, 80]),
      (49, 20, 4, [20, 14, 15]), (21, 20, 4, [20, 1]), (20, 20, 4, [20]), (15, 20, 4, [15]),
      (1_620, 20, 99, [20] + [Int64](repeating: 100, count: 16)),
    ] as [(Int64, Int64, Int, [Int64])])
  func division(total: Int64, first: Int64, count: Int, lengths: [Int64]) {
    let parts = DownloadParts(first: first, of: total, by: PartDivision(count: count, minimum: 10))
    #expect(parts.list.map { $0.range.upperBound - $0.range.lowerBound } == lengths)
    #expect(zip(parts.list, parts.list.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
    #expect(parts.list.last?.range.upperBound == total && parts.downloaded == 0 && parts.firstIncomplete == 0)
    #expect(parts.list.count <= DownloadParts.maximumCount)
  }

  @Test("The progress is the sum, and the file has at least the last byte that was written")
  func progress() {
    var parts = DownloadParts(first: 20, of: 100, by: PartDivision(count: 4, minimum: 10))
    #expect(parts.minimumSize == 0)
    parts.advance(0, to: 20)
    #expect(parts.downloaded == 20 && parts.minimumSize == 20 && parts.firstIncomplete == 1)
    parts.advance(3, to: 65)
    #expect(parts.downloaded == 25 && parts.minimumSize == 65)
    #expect(parts.list[3].missing == 65..<80 && !parts.list[3].isComplete && parts.list[0].isComplete)
    for part in parts.list.indices { parts.advance(part, to: parts.list[part].range.upperBound) }
    #expect(parts.downloaded == 100 && parts.firstIncomplete == nil)
  }

  @Test("Recorded parts are read only if they cover the file")
  func recorded() {
    func parts(_ list: [(Range<Int64>, Int64)], total: Int64 = 10) -> DownloadParts? {
      DownloadParts(list.map { (range: $0.0, next: $0.1) }, total: total)
    }
    #expect(parts([(0..<4, 4), (4..<10, 5)])?.downloaded == 5)
    #expect(parts([]) == nil && parts([(0..<4, 4)]) == nil && parts([(1..<10, 1)]) == nil)
    #expect(parts([(0..<4, 4), (5..<10, 5)]) == nil && parts([(0..<4, 5), (4..<10, 4)]) == nil)
    #expect(parts([(0..<4, 4), (4..<4, 4), (4..<10, 4)]) == nil)
    #expect(parts((0..<17).map { ($0..<($0 + 1), $0) }, total: 17) != nil)
    #expect(parts((0..<18).map { ($0..<($0 + 1), $0) }, total: 18) == nil)
  }

  @Test(
    "Numbers beyond their limits are set to these, and the progress of a larger file is recorded less often")
  func limits() {
    #expect([-1, 0, 1, 16, 17].map { PartDivision(count: $0).count } == [1, 1, 1, 16, 16])
    #expect([-1, 0, 16, 17].map { DownloadPolicy(parts: $0).parts } == [1, 1, 16, 16])
    let division = PartDivision(count: 4)
    #expect(division.minimum == 1 << 20 && division.firstLength == 2 << 20)
    let intervals = [1 << 20, 1 << 30, 1 << 40].map { division.checkpointInterval(of: $0) }
    #expect(intervals == [4 << 20, 16 << 20, 64 << 20])
  }
}
