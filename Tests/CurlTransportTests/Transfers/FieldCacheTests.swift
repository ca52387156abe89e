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

  @Test("A line is parsed once, a cookie each time")
  func parsedOnce() throws {
    let first = try #require(field("A: 1"))
    #expect(field("A: 1") === first)
    #expect(field("A: 2") !== first)
    #expect(field("A: 1") === first)
    let cookie = try #require(field("Set-Cookie: secret"))
    #expect(field("Set-Cookie: secret") !== cookie)
  }

  @Test("Two lines that share a pair of places both stay cached")
  func pairs() throws {
    // Of 500 lines in 128 pairs of places some share one: a pair of lines that both stay cached must be
    // found, whichever it is.
    let lines = (0..<500).map { "X-Number: \($0)" }
    let pairs = Dictionary(grouping: lines) { FieldCache.hash(Array($0.utf8).span) >> 57 }
    let couples = pairs.values.filter { $0.count > 1 }.map { $0.prefix(2) }
    #expect(!couples.isEmpty)
    for couple in couples {
      let cache = FieldCache()
      let parsed = couple.map { cache.entry(of: Array($0.utf8).span) }
      for _ in 0..<3 {
        for (line, entry) in zip(couple, parsed) { #expect(cache.entry(of: Array(line.utf8).span) === entry) }
      }
    }
  }
}
