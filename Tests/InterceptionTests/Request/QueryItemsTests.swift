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

  @Test("Pairs are sorted by their bytes, name before value")
  func sorting() {
    #expect(QueryItems("/?b=1&a=2&a=10").sorted == QueryItems("/?a=10&a=2&b=1").items)
  }

  @Test("QueryPairs are the same pairs, sorted only by name")
  func pairs() {
    let text = "/a?b=2&a=1&b=1&%61=0&c"
    var pairs = QueryPairs(text)
    pairs.sortByName()
    var written = LengthPrefixed()
    written.append(pairs)
    var expected = LengthPrefixed()
    expected.append(QueryItems("/a?a=1&a=0&b=2&b=1&c=").items)
    #expect(written.bytes == expected.bytes)
    #expect(pairs.pathCount == 2)
    #expect(QueryPairs("/a").bounds.isEmpty)
  }

  @Test("Different queries never have the same length-prefixed bytes")
  func injective() {
    let queries = ["/?a=1&b=2", "/?a=1%26b%3D2", "/?a=1b=2", "/?a=&1b=2", "/?a1=&b=2", "/?a=1", "/?a", "/"]
    let encoded = queries.map { query in
      var fields = LengthPrefixed()
      fields.append(QueryItems(query).sorted)
      return fields.bytes
    }
    #expect(Set(encoded).count == queries.count)
  }

  @Test("Fields of different lengths never have the same length-prefixed bytes")
  func fields() {
    func encoded(_ fields: [String]) -> [UInt8] {
      var prefixed = LengthPrefixed()
      for field in fields { prefixed.append(field) }
      return prefixed.bytes
    }
    #expect(encoded(["ab", "c"]) != encoded(["a", "bc"]))
    #expect(encoded(["ab"]) != encoded(["ab", ""]))
    #expect(encoded(["x"]) == [0, 0, 0, 0, 0, 0, 0, 1, 120])
  }
}
