import SwitchyardTesting
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
    "M9: the most specific pattern wins, whatever the order of declaration",
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

  @Test("M14: nothing of an abandoned branch remains in the captures") func captures() throws {
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

  @Test("M15: in an adversarial table each node is visited at most once", arguments: [6, 8, 10])
  func adversarial(_ depth: Int) throws {
    // Literals and placeholders at each depth, so that one URL matches every pattern.
    var patterns: [RoutePattern] = []
    for mask in 0..<(1 << depth) {
      let path = (0..<depth).map { mask >> $0 & 1 == 0 ? "a" : "{p\($0)}" }.joined(separator: "/")
      patterns.append(try RoutePattern("e://h/\(path)/end"))
    }
    let trie = Self.trie(patterns)
    #expect(trie.nodes.count == 3 << depth)
    let path = String(repeating: "a/", count: depth)
    for (end, isMatch) in [("end", true), ("no", false), ("%65nd", true), ("end/x", false)] {
      let text = "e://h/" + path + end
      let scan = try URLScan(text.utf8.span)
      var offered: [Int] = []
      var search = RouteSearch()
      scan.starts.withSpan { starts in
        trie.find(scan, starts, text.utf8.span, &search) { route in
          offered.append(route)
          return false
        }
      }
      // The URL leads to every node, except those of the last level if its ending differs.
      #expect(search.visits <= trie.nodes.count, "\(text)")
      #expect(search.visits >= (2 << depth) - 1)
      #expect(search.best == nil)
      #expect(offered.count == (isMatch ? 1 << depth : 0) && Set(offered).count == offered.count)
    }
    #expect(trie.match(try RouteURL("e://h/\(path)end")) == 0)
    #expect(trie.match(try RouteURL("e://h/\(path.replacing("a", with: "b"))end")) == (1 << depth) - 1)
    #expect(trie.match(try RouteURL("e://h/b/\(path.dropFirst(2))end")) == 1)
  }

  @Test("M15: a typical look-up visits one node per segment") func usual() throws {
    let trie = Self.trie(Self.table)
    for (text, visits) in [("e://h", 2), ("e://h/new", 3), ("e://h/1/photos", 4), ("e://x", 1)] {
      let scan = try URLScan(text.utf8.span)
      var search = RouteSearch()
      scan.starts.withSpan { trie.find(scan, $0, text.utf8.span, &search) }
      #expect(search.visits == visits, "\(text)")
    }
  }

  @Test("Many literals with the same beginning and length are distinguished")
  func similarLiterals() throws {
    let names =
      (0..<500).map { "a-long-beginning-\($0 + 1000)-and-a-long-end" } + ["a", "ab", "abcdefgh", "abcdefghi"]
    let patterns = try names.map { try RoutePattern("e://h/\($0)") }
    let trie = Self.trie(patterns)
    for (index, name) in names.enumerated() {
      #expect(trie.match(try RouteURL("e://h/\(name)")) == index)
      #expect(trie.match(try RouteURL("E://H/%61\(name.dropFirst())/")) == index)
      #expect(trie.match(try RouteURL("e://h/\(name)x")) == nil)
    }
    #expect(trie.match(try RouteURL("e://h/abcdefg")) == nil)
  }

  @Test("Two literals with the same tag are distinguished", arguments: ["", "-and-a-long-end"])
  func sameTag(end: String) throws {
    // With 400,000 names, two are almost certain to share one of the 2³² tags.
    var names: [UInt32: String] = [:]
    var pairs: [(String, String)] = []
    var numbers = SeededRandom(seed: 5)
    for _ in 0..<400_000 where pairs.isEmpty {
      // Seven or eight letters.
      let name = String(Int.random(in: 3_000_000_000...99_000_000_000, using: &numbers), radix: 36) + end
      let tag = LabelWords.tag(
        LabelWords(name.utf8.span, at: 0, length: name.utf8.count).hash(name.utf8.span))
      if let other = names.updateValue(name, forKey: tag) { pairs.append((name, other)) }
    }
    let (one, other) = try #require(pairs.first)
    for (known, unknown) in [(one, other), (other, one)] {
      let single = Self.trie([try RoutePattern("e://h/\(known)")])
      #expect(single.match(try RouteURL("e://h/\(known)")) == 0)
      #expect(single.match(try RouteURL("e://h/\(unknown)")) == nil)
      let names = [known, unknown] + (0..<20).map { "other-\($0)" }
      let table = Self.trie(try names.map { try RoutePattern("e://h/\($0)") })
      for (index, name) in names.enumerated() { #expect(table.match(try RouteURL("e://h/\(name)")) == index) }
    }
  }

  @Test(
    "M9: of two optional last segments the narrower kind wins, also where the segment is absent",
    arguments: [
      ("e://h/p", "e://h/p/{id:int?}"), ("e://h/p/1", "e://h/p/{id:int?}"),
      ("e://h/p/1.5", "e://h/p/{x:double?}"), ("e://h/p/a", "e://h/p/{name?}"),
    ])
  func optionalKinds(_ text: String, _ expected: String) throws {
    let patterns: [RoutePattern] = ["e://h/p/{name?}", "e://h/p/{x:double?}", "e://h/p/{id:int?}"]
    for order in [patterns, patterns.reversed()] {
      #expect(Self.trie(order).match(try RouteURL(text)).map { order[$0].text } == expected)
    }
  }

  @Test(
    "M9: an enumeration precedes the kinds that include it, and a literal or a smaller enumeration precedes it",
    arguments: [
      ("e://h/a", "e://h/a"), ("e://h/b", "e://h/{x:a|b}"), ("e://h/c", "e://h/{x:a|b|c|1}"),
      ("e://h/1", "e://h/{x:a|b|c|1}"), ("e://h/2", "e://h/{x}"), ("e://h/%62", "e://h/{x:a|b}"),
      ("e://h/true", "e://h/{x:bool}"), ("e://h/maybe", "e://h/{x:true|false|maybe}"),
      ("e://h/ab", "e://h/{x}"),
      ("e://h/b/1", "e://h/{x:a|b}/{n:int}"), ("e://h/c/1", "e://h/{x}/{n}"), ("e://h/b/x", "e://h/{x}/{n}"),
      ("e://h/true/1", "e://h/{x}/{n}"),
    ])
  func enumerations(_ text: String, _ expected: String) throws {
    let patterns: [RoutePattern] = [
      "e://h/{x}", "e://h/{x:a|b|c|1}", "e://h/{x:true|false|maybe}", "e://h/{x:a|b}", "e://h/{x:bool}",
      "e://h/a",
      "e://h/{x:a|b}/{n:int}", "e://h/{x}/{n}",
    ]
    for order in [patterns, patterns.reversed()] {
      #expect(Self.trie(order).match(try RouteURL(text)).map { order[$0].text } == expected)
    }
  }

  @Test(
    "M9: two notations of the same texts are one kind, so the rest of the pattern decides",
    arguments: [("e://h/true/1", "e://h/{x:true|false}/{n:int}"), ("e://h/1/2", "e://h/{x:2|1}/{n:int}")])
  func sameTexts(_ text: String, _ expected: String) throws {
    let patterns: [RoutePattern] = [
      "e://h/{x:bool}/{n}", "e://h/{x:true|false}/{n:int}", "e://h/{x:1|2}/{n}", "e://h/{x:2|1}/{n:int}",
    ]
    for order in [patterns, patterns.reversed()] {
      #expect(Self.trie(order).match(try RouteURL(text)).map { order[$0].text } == expected)
    }
  }

  @Test("M6: an optional last segment may be absent, and a pattern without it takes precedence")
  func optional() throws {
    let patterns: [RoutePattern] = [
      "e://h/list/{page:int?}", "e://h/list", "e://h/{name}/{sub?}", "e://h/all/{page:int?}?q={q}",
    ]
    for order in [patterns, patterns.reversed()] {
      let trie = Self.trie(order)
      for (text, expected) in [
        ("e://h/list", "e://h/list"), ("e://h/list/2", "e://h/list/{page:int?}"),
        ("e://h/list/x", "e://h/{name}/{sub?}"), ("e://h/x", "e://h/{name}/{sub?}"),
        ("e://h/all?q=1", "e://h/all/{page:int?}?q={q}"), ("e://h/all/1?q=1", "e://h/all/{page:int?}?q={q}"),
        ("e://h/all", "e://h/{name}/{sub?}"), ("e://h", nil),
      ] as [(String, String?)] {
        #expect(trie.match(try RouteURL(text)).map { order[$0].text } == expected, "\(text)")
      }
    }
  }

  @Test("M20: another port is another server") func port() throws {
    let trie = Self.trie(["https://h.example/a"])
    #expect(trie.match(try RouteURL("https://h.example:443/a")) == 0)
    #expect(trie.match(try RouteURL("https://h.example:444/a")) == nil)
  }
}
