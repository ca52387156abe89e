import HTTPTypes
import Testing

@testable import CurlTransport

@Suite struct FieldCacheTests {
  private let cache = FieldCache()

  private func field(_ line: String) -> FieldCache.Entry? {
    cache.entry(of: Array(line.utf8).span)?.entry
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

  @Test func `a line is known from the second time on, a cookie never`() throws {
    func isKnown(_ line: String) throws -> Bool {
      let found = cache.entry(of: Array(line.utf8).span)
      return try #require(found).isKnown
    }
    #expect(try !isKnown("A: 1"))
    #expect(try isKnown("A: 1"))
    #expect(try !isKnown("A: 2"))
    #expect(try !isKnown("Set-Cookie: secret"))
    #expect(try !isKnown("Set-Cookie: secret"))
  }

  @Test func `two lines that share a pair of places stay known both`() throws {
    // Of 129 lines two at least share one of the 128 pairs; where it is two, both must be found from then on.
    let lines = (0..<500).map { "X-Number: \($0)" }
    let pairs = Dictionary(grouping: lines) { FieldCache.mix(Array($0.utf8).span) >> 57 }
    let couples = pairs.values.filter { $0.count > 1 }.map { $0.prefix(2) }
    #expect(!couples.isEmpty)
    for couple in couples {
      let cache = FieldCache()
      func isKnown(_ line: String) -> Bool? { cache.entry(of: Array(line.utf8).span)?.isKnown }
      for line in couple { #expect(isKnown(line) == false) }
      for _ in 0..<3 { for line in couple { #expect(isKnown(line) == true) } }
    }
  }
}
