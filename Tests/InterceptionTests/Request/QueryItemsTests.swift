import Testing

@testable import Interception

@Suite("Query pairs")
struct QueryItemsTests {
  @Test(
    "A query is split at & and the first =, and decoded once",
    arguments: [
      ("/a", "/a", []), ("/a?", "/a", []), ("/a?b", "/a", ["b|"]), ("/a?b=", "/a", ["b|"]),
      ("/a?b=c=d", "/a", ["b|c=d"]), ("/a?b=1&b=2", "/a", ["b|1", "b|2"]), ("/a?x=%2526", "/a", ["x|%26"]),
      ("/a?x=a+b", "/a", ["x|a b"]), ("/a?%zz=%4", "/a", ["%zz|%4"]), ("/a?b=?c", "/a", ["b|?c"]),
      ("/a?&&b=1", "/a", ["b|1"]), ("", "", []),
    ])
  func splitting(text: String, path: String, pairs: [String]) {
    let query = QueryItems(text)
    #expect(query.path == path)
    #expect(
      query.items.map {
        String(decoding: $0.name, as: UTF8.self) + "|" + String(decoding: $0.value, as: UTF8.self)
      }
        == pairs)
  }

  @Test("QueryPairs are the same pairs")
  func pairs() {
    let text = "/a?b=2&a=1&b=1&%61=0&c"
    let pairs = QueryPairs(text)
    let read = pairs.bounds.map { bounds in
      String(decoding: pairs.bytes[bounds.start..<bounds.middle], as: UTF8.self) + "|"
        + String(decoding: pairs.bytes[bounds.middle..<bounds.end], as: UTF8.self)
    }
    #expect(read == ["b|2", "a|1", "b|1", "a|0", "c|"])
    #expect(pairs.pathCount == 2)
    #expect(QueryPairs("/a").bounds.isEmpty)
  }
}
