import Testing

@testable import Mediation

@Suite struct RouteTrieTests {
  private static func trie(_ patterns: [RoutePattern]) -> RouteTrie {
    var builder = RouteTrieBuilder()
    for (index, pattern) in patterns.enumerated() {
      builder.insert(pattern, route: index, priority: 0, isContested: false)
    }
    return builder.freeze()
  }

  static let table: [RoutePattern] = [
    "e://h", "e://h/new", "e://h/{id:int}", "e://h/{x:double}", "e://h/{id:uuid}", "e://h/{flag:bool}",
    "e://h/{name}", "e://h/{rest...}", "e://h/42", "e://h/{id:int}/photos", "e://h/{name}/{photo:int}",
    "e://h/new?kind={kind}", "e://h/new?kind={kind}&city={city}",
  ]

  @Test(
    "The most specific pattern wins, whatever the order of declaration",
    arguments: [
      ("e://h", "e://h"), ("E://H/", "e://h"), ("e://h/new", "e://h/new"), ("e://h/New", "e://h/{name}"),
      ("e://h/42", "e://h/42"), ("e://h/43", "e://h/{id:int}"), ("e://h/4.5", "e://h/{x:double}"),
      ("e://h/00000000-0000-4000-8000-000000000000", "e://h/{id:uuid}"), ("e://h/true", "e://h/{flag:bool}"),
      ("e://h/x", "e://h/{name}"), ("e://h/x/y", "e://h/{rest...}"), ("e://h/x/y/z", "e://h/{rest...}"),
      ("e://h/1/photos", "e://h/{id:int}/photos"), ("e://h/42/photos", "e://h/{id:int}/photos"),
      ("e://h/1/2", "e://h/{name}/{photo:int}"), ("e://h/new/2", "e://h/{name}/{photo:int}"),
      ("e://h/1/x", "e://h/{rest...}"), ("e://h/new?kind=a", "e://h/new?kind={kind}"),
      ("e://h/new?city=b&kind=a", "e://h/new?kind={kind}&city={city}"), ("e://h/new?city=b", "e://h/new"),
      ("e://other", nil), ("f://h", nil), ("e://h/%6Eew", "e://h/new"),
    ] as [(String, String?)])
  func precedence(_ text: String, _ expected: String?) throws {
    let url = try RouteURL(text)
    for patterns in [Self.table, Self.table.reversed()] {
      let found = Self.trie(patterns).match(url).map { patterns[$0].text }
      #expect(found == expected)
    }
  }

  @Test func `nothing of an abandoned branch stays in the captures`() throws {
    let patterns: [RoutePattern] = ["e://h/{a}/{b}/end", "e://h/{c}/{d}/{e}/end", "e://h/{tail...}"]
    let trie = Self.trie(patterns)
    let url = try RouteURL("e://h/1/2/3/4")
    let route = try #require(trie.match(url))
    let input = RouteInput(url: url, pattern: patterns[route], isFromOutside: true)
    #expect(patterns[route].text == "e://h/{tail...}")
    #expect(input.firstTexts() == ["tail": "1"])
    #expect(try input.rest("tail") == ["1", "2", "3", "4"])
    #expect(throws: RouteError.self) { try input.value("a", as: String.self) }
  }

  @Test func `of an adversarial table each node is visited once at most`() throws {
    // Literals and placeholders at each depth, so that one URL matches every pattern.
    var patterns: [RoutePattern] = []
    for mask in 0..<64 {
      let path = (0..<6).map { mask >> $0 & 1 == 0 ? "a" : "{p\($0)}" }.joined(separator: "/")
      patterns.append(try RoutePattern("e://h/\(path)/end"))
    }
    let trie = Self.trie(patterns)
    var offered: [Int] = []
    let none = trie.match(try RouteURL("e://h/a/a/a/a/a/a/end")) { route in
      offered.append(route)
      return false
    }
    #expect(none == nil)
    #expect(offered.count == 64 && Set(offered).count == 64)
    #expect(trie.match(try RouteURL("e://h/a/a/a/a/a/a/no")) == nil)
    #expect(trie.match(try RouteURL("e://h/a/a/a/a/a/a/end")) == 0)
    #expect(trie.match(try RouteURL("e://h/b/b/b/b/b/b/end")) == 63)
    #expect(trie.match(try RouteURL("e://h/b/a/a/a/a/a/end")) == 1)
  }

  @Test func `another port is another server`() throws {
    let trie = Self.trie(["https://h.example/a"])
    #expect(trie.match(try RouteURL("https://h.example:443/a")) == 0)
    #expect(trie.match(try RouteURL("https://h.example:444/a")) == nil)
  }
}
