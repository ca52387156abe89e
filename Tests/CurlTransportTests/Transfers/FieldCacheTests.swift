import HTTPTypes
import Testing

@testable import CurlTransport

@Suite struct FieldCacheTests {
  private let cache = FieldCache()

  private func field(_ line: String) -> FieldCache.Entry? {
    cache.entry(of: Array(line.utf8).span)
  }

  @Test func `lines that share a place are told apart`() throws {
    for round in 0..<3 {
      for number in 0..<500 {
        let found = try #require(field("X-Number: \(number)"), "round \(round)")
        #expect(found.field == HTTPField(name: try #require(.init("X-Number")), value: "\(number)"))
      }
    }
  }

  @Test func `the fields that the transport acts on are known as such, each time`() throws {
    for _ in 0..<2 {
      #expect(field("content-length: 17")?.role == .contentLength(17))
      #expect(field("Content-Length: 1, 2")?.role == .contentLength(nil))
      #expect(field("Content-Encoding: br")?.role == .contentCoding)
      #expect(field("Content-Type: text/plain")?.role == .other)
    }
  }

  @Test(arguments: ["", "no colon", ": no name", "bad name: x"])
  func `what is no field is none, also the second time`(line: String) {
    #expect(field(line)?.field == nil)
    #expect(field(line)?.field == nil)
  }

  @Test func `a row of lines has its own fields each time, whatever rows came before`() throws {
    func values(_ lines: [String]) throws -> [String] {
      var row = cache.takeRow()
      for line in lines { row.append(try #require(field(line))) }
      let fields = cache.fields(takenFrom: &row)
      #expect(row.isEmpty)
      return fields.map(\.value)
    }
    for _ in 0..<3 {
      #expect(try values(["A: 1", "B: 2"]) == ["1", "2"])
      #expect(try values(["B: 2", "A: 1"]) == ["2", "1"])
      #expect(try values(["A: 1", "Set-Cookie: a=1"]) == ["1", "a=1"])
      #expect(try values(["A: 1", "Set-Cookie: a=2"]) == ["1", "a=2"])
      #expect(try values(["A: 1", "A: 1", "A: 1"]) == ["1", "1", "1"])
      #expect(try values([]) == [])
      for number in 0..<300 { #expect(try values(["A: 1", "N: \(number)"]) == ["1", "\(number)"]) }
    }
  }

  @Test func `a cookie is in no row that is kept`() throws {
    let first = try #require(field("Set-Cookie: secret"))
    #expect(!first.isKept)
    #expect(field("Set-Cookie: secret") !== first)
  }
}
