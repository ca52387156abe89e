import Mediation
import Testing

@Suite struct RoutePatternTests {
  @Test("Placeholders are listed in order")
  func parameterNames() throws {
    let text = "estate://home/{id:int}/photos/{rest...}?tab={tab?}&q={text}"
    let pattern = try RoutePattern(text)
    #expect(pattern.parameterNames == ["id", "rest", "tab", "text"])
    #expect(pattern.fault == nil)
  }

  @Test(
    "A fault of a pattern has an offset and a remedy",
    arguments: [
      ("home", 4, "it has no scheme"), ("estate:home", 7, "\"//\" is missing"),
      ("estate://", 9, "it has no host"),
      ("estate:///x", 9, "it has no host"), ("estate://{city}/x", 9, "the host is a placeholder"),
      ("estate://home//x", 14, "empty segment"), ("estate://home/{id", 14, "not closed"),
      ("estate://home/{}", 15, "no valid name"), ("estate://home/{1d}", 15, "no valid name"),
      ("estate://home/{id:real}", 18, "\"real\" is not a kind"),
      ("estate://home/{id:a||b}", 20, "empty text"), ("estate://home/{id:a|b|}", 22, "empty text"),
      ("estate://home/{id:a?|b}", 19, "contains \"?\""),
      ("estate://home/{id:a|b|a}", 22, "the text \"a\" twice"), ("estate://home/{id:a|..}", 20, "\"..\""),
      ("estate://home/{id?}/x", 17, "only the last segment"),
      ("estate://home/{city?}/{page:int?}", 19, "only the last segment"),
      ("estate://home/{id...?}", 20, "cannot be optional"),
      ("estate://home/a{id}", 15, "only a part"), ("estate://home/{id}.html", 18, "something follows"),
      ("estate://home/{a...}/b", 21, "tail"), ("estate://home/{a}/{a}", 19, "used twice"),
      ("estate://home/{a}?q={a}", 21, "used twice"), ("estate://home#x", 13, "fragment"),
      ("estate://home?q", 14, "no key or no placeholder"),
      ("estate://home?q=1", 14, "no key or no placeholder"),
      ("estate://home?={q}", 14, "no key or no placeholder"), ("estate://home?q={a}&q={b}", 20, "twice"),
      ("estate://home/..", 14, "not allowed as segments"), ("estate://ho me", 11, "must not contain"),
      ("estate://home/%zz", 14, "percent-encoding"), ("estate://home:80", 13, "a user or a port"),
      ("https://h.example./", 17, "ends in a dot"),
    ])
  func faults(_ text: String, _ offset: Int, _ problem: String) throws {
    let error = try #require(throws: RoutePattern.SyntaxError.self) { try RoutePattern(text) }
    #expect(error.offset == offset)
    #expect(error.problem.contains(problem))
    #expect(!error.remedy.isEmpty)
    #expect(error.description.contains(text))
  }

  @Test("A faulty literal keeps its fault")
  func faultyLiteral() {
    let pattern: RoutePattern = "estate://home/{id"
    #expect(pattern.fault?.offset == 14)
  }

  @Test("M1: a pattern may end in one slash, which is ignored")
  func trailingSlash() {
    let pattern: RoutePattern = "estate://home/{id:int}/"
    for url in ["estate://home/1", "estate://home/1/"] { #expect(pattern.matches(url)) }
    #expect(pattern.relation(to: "estate://home/{number:int}") == .same)
    let twoSlashes: RoutePattern = "estate://home//"
    #expect(twoSlashes.fault != nil)
  }

  @Test("A pattern names the kinds of its placeholders, the required ones and its tail")
  func placeholders() {
    let pattern: RoutePattern = "estate://home/{id:int}/{rest...}?tab={tab?}&area={size:double}"
    #expect(pattern.parameterNames == ["id", "rest", "tab", "size"])
    #expect(pattern.requiredNames == ["id", "rest", "size"])
    #expect(pattern.parameterNames.map { pattern.kind(of: $0) } == [.int, .text, .text, .double])
    #expect(pattern.kind(of: "area") == nil)
    #expect(pattern.tailName == "rest")
    let plain: RoutePattern = "estate://home/{id?}"
    #expect(plain.tailName == nil)
  }

  @Test(
    "A pattern matches by itself what a table of it alone matches",
    arguments: [
      ("estate://home/{id:int}?tab={tab}", "estate://home/1?tab=", true),
      ("estate://home/{id:int}?tab={tab}", "estate://home/1", false),
      ("estate://home/{id:int}", "estate://home/x", false),
      ("estate://home/{id:int?}", "ESTATE://HOME", true),
      ("estate://home/{id:int?}", "estate://home/1/2", false), ("estate://a b", "estate://a%20b", false),
      ("estate://home/{r...}", "estate://home", false), ("estate://home/{r...}", "estate://home/a/b", true),
      ("estate://home/a%20b", "estate://home/a%20b", true),
      ("https://h.example/a", "https://h.example:444/a", false),
      ("https://h.example/a", "https://h.example:443/a", true), ("estate://home", "no url", false),
    ] as [(RoutePattern, String, Bool)])
  func matching(_ pattern: RoutePattern, _ url: String, _ expected: Bool) {
    #expect(pattern.matches(url) == expected)
  }

  @Test("A faulty pattern is disjoint with every pattern")
  func faultyRelation() {
    let faulty: RoutePattern = "estate://home/{id"
    #expect(faulty.relation(to: faulty) == .disjoint)
    #expect(faulty.relation(to: "estate://home") == .disjoint)
  }
}
