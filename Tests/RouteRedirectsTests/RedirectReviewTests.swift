import Mediation
import MediationFixtures
import RouteRedirects
import Testing

@Suite struct RedirectReviewTests {
  /// Returns the rule, the case and its values.
  private static func label(_ fault: RedirectFault) -> String {
    let reason =
      switch fault.reason {
      case .pattern: "pattern"
      case .foreign(let scheme, let host): "foreign \(scheme)://\(host)"
      case .duplicate(let other, let url): "duplicate \(other) \(url)"
      case .overlap(let other, let url): "overlap \(other) \(url)"
      case .overlapsRoute(let place, let url): "overlapsRoute \(place.name) \(url)"
      case .noTarget(let target): "noTarget \(target)"
      case .missing(let name): "missing \(name)"
      case .undeclared(let name): "undeclared \(name)"
      case .twice(let name): "twice \(name)"
      case .unfit(let name): "unfit \(name)"
      case .exposure(let place): "exposure \(place.name)"
      case .answer(let expected, let got): "answer \(expected) \(got)"
      case .loop(let rules): "loop \(rules)"
      case .tooManyHops(let limit): "tooManyHops \(limit)"
      case .disablesNothing: "disablesNothing"
      }
    return "\(fault.rule) \(reason)"
  }

  private static let villa = "estate://villa/{id:int}"

  @Test(
    "A faulty rule is reported with its index and reason",
    arguments: [
      (.redirect("estate:/x", to: villa), ["0 pattern"]),
      (.redirect("estate://x/{id:int}", to: "estate://villa/{id:thing}"), ["0 pattern"]),
      (.redirect("other://x/{id:int}", to: villa), ["0 foreign other://x"]),
      (.redirect("https://evil.example/{id:int}", to: villa), ["0 foreign https://evil.example"]),
      (.redirect("estate://x/{id:int}", to: "https://evil.example/{id}"), ["0 foreign https://evil.example"]),
      (
        .redirect("estate://x/{id:int}", to: "http://estate.example/{id}"),
        ["0 foreign http://estate.example"]
      ),
      (.redirect("estate://x/{id:int}", to: "other://y/{id}"), ["0 foreign other://y"]),
      (.redirect("estate://x/{id:int}", to: "javascript://estate/{id}"), ["0 foreign javascript://estate"]),
      (
        .redirect("estate://home/1?tab={tab}&x={x}", to: villa),
        ["0 missing id"]
      ),
      (.redirect("estate://x/{key:int}", to: villa), ["0 missing id"]),
      (.redirect("estate://x/{id}", to: villa), ["0 unfit id"]),
      (.redirect("estate://x/{id:double}", to: villa), ["0 unfit id"]),
      (.redirect("estate://x?id={id:int?}", to: villa), ["0 unfit id"]),
      (.redirect("estate://x/{id...}", to: villa), ["0 unfit id"]),
      (.redirect("estate://x?path={path}", to: "estate://help/{path...}"), ["0 unfit path"]),
      // A text of the query may be empty, ".", ".." or repeated, which a path cannot hold.
      (.redirect("estate://x?word={word}", to: "https://help.example/find/{word}"), ["0 unfit word"]),
      (.redirect("estate://x?word={word?}", to: "https://help.example/find/{word?}"), ["0 unfit word"]),
      // A route that reads a number from its query does not open every text.
      (.redirect("estate://x?id={id}", to: "estate://price?id={id}"), ["0 unfit id"]),
      (.redirect("estate://x", to: "estate://price?id={id}", values: ["id": "y"]), ["0 unfit id"]),
      (.redirect("estate://x/{id:double}", to: "estate://price?id={id:double}"), ["0 unfit id"]),
      (.redirect("estate://x", to: villa, values: ["id": "one"]), ["0 unfit id"]),
      (.redirect("estate://x", to: "estate://help/{a}", values: ["a": ".."]), ["0 unfit a"]),
      (.redirect("estate://x/{id:int}", to: villa, values: ["id": "1"]), ["0 twice id"]),
      (.redirect("estate://x/{id:int}", to: villa, values: ["tab": "1"]), ["0 undeclared tab"]),
      (.redirect("estate://x/{id:int}", to: "estate://nowhere/{id}"), ["0 noTarget estate://nowhere/{id}"]),
      (.redirect("estate://x/{id}", to: "estate://villa/{id}"), ["0 noTarget estate://villa/{id}"]),
      (
        .redirect("estate://home/{id:int}?tab={tab?}", to: "estate://cellar/{id:int}"),
        ["0 exposure CellarRoute"]
      ),
      (.redirect("estate://home/{id:int}?tab={tab?}", to: "estate://help/{id}"), ["0 exposure HelpRoute"]),
      (.redirect("estate://x", to: "estate://ledger"), ["0 exposure LedgerRoute"]),
      (.redirect("estate://cellar/{id:int}", to: "estate://price?id={id:int}"), ["0 answer () Int"]),
      (.redirect("estate://villa/{id:int}", to: "estate://villa/{id:int}"), ["0 loop [0, 0]"]),
      (.redirect("estate://villa/1", to: "estate://villa/{id:int}", values: ["id": "1"]), ["0 loop [0, 0]"]),
      (.disable("estate://nowhere/{id:int}"), ["0 disablesNothing"]),
      (.disable("estate://home/{path...}"), ["0 disablesNothing"]),
    ] as [(RedirectRule, [String])])
  func one(_ rule: RedirectRule, _ expected: [String]) throws {
    let app = try RedirectedApp(Journal())
    let faults = app.faults([rule])
    #expect(faults.map(Self.label) == expected)
    #expect(app.redirects.version == nil)
    for fault in faults { #expect(fault.description.hasPrefix("Rule 0: ")) }
  }

  @Test(
    "A valid rule is accepted",
    arguments: [
      .redirect("estate://x/{id:int}", to: villa),
      .redirect("estate://x/{a...}", to: "estate://help/{a...}"),
      .redirect("estate://x/{a:uuid}", to: "estate://help/{a}/more"),
      .redirect("estate://x/{id:int}?tab={tab}", to: "estate://villa/{id:int}?tab={tab?}"),
      .redirect("estate://x", to: villa, values: ["id": "-7"]),
      .redirect("estate://x?id={id:int}", to: villa),
      .redirect("estate://x?id={id:int}", to: "estate://price?id={id:int}"),
      .redirect("estate://x", to: "estate://price?id={id}", values: ["id": "7"]),
      .redirect("estate://x?w={w:a|b}", to: "https://help.example/find/{w}"),
      .redirect("estate://x?tab={tab}", to: "https://help.example/find?q={tab}"),
      .redirect("estate://x?page={page:int?}", to: "https://help.example/list/{page:int?}"),
      .redirect("estate://x", to: "estate://villa/7"),
      .redirect("estate://home/{id:int}?tab={tab?}", to: "https://help.example/homes/{id:double}"),
      .redirect("https://estate.example/old", to: "https://estate.example/new"),
      .redirect("estate://home/typo/{rest...}", to: "https://estate.example/"),
      .redirect("estate://home/{rest...}", to: "estate://home/1"),
      .redirect("estate://home/42", to: "estate://villa/42"),
      .disable("estate://home/42"), .disable("estate://ledger"),
    ] as [RedirectRule])
  func good(_ rule: RedirectRule) throws {
    let app = try RedirectedApp(Journal())
    #expect(app.faults([rule]).map(\.description) == [])
    #expect(app.redirects.version == 1)
  }

  @Test("All faults are reported at once, in the order of the rules, and the current table stays")
  func allFaults() throws {
    let journal = Journal()
    let app = try RedirectedApp(journal)
    try app.redirects.apply(
      RedirectTable(version: 1, rules: [.redirect("estate://old", to: "estate://villa/1")]))
    let rules: [RedirectRule] = [
      .redirect("estate://a/{id:int}", to: Self.villa),
      .redirect("estate://a/{key:int}", to: "estate://villa/{key:int}"),
      .redirect("estate://b/{id:int}/{x}", to: Self.villa),
      .redirect("estate://b/{x}/{id:int}", to: Self.villa),
      .redirect("estate://c", to: "estate://d"),
      .redirect("estate://d", to: "estate://c"),
      .disable("estate://unknown"),
    ]
    #expect(
      RedirectedApp.errorName { () throws(RedirectTableError) in
        try app.redirects.apply(RedirectTable(version: 2, rules: rules))
      } == "invalid [1, 3, 4, 6]")
    let faults = try RedirectedApp(Journal()).faults(rules)
    #expect(
      faults.map(Self.label) == [
        "1 duplicate 0 estate://a/1", "3 overlap 2 estate://b/1/1", "4 loop [4, 5, 4]", "6 disablesNothing",
      ])
    #expect(app.redirects.version == 1)
    #expect(journal.lines == ["redirects 1"])
  }

  @Test("A rule that overlaps a route is refused")
  func overlap() throws {
    struct Two: Route {
      static let pattern: RoutePattern = "estate://two/{id:int}/{tab}"
      init(from input: RouteInput) throws(RouteError) {}
      func write(to output: inout RouteOutput) {}
    }
    let app = try RedirectedApp(TestModule { $0.action(Two.self) { _, _ in } })
    let faults = app.faults([.redirect("estate://two/{tab}/list", to: "estate://two/1/{tab}")])
    #expect(faults.map(Self.label).first == "0 overlapsRoute Two estate://two/1/list")
  }

  @Test("A web page is not a target in an app without a web screen")
  func withoutWebScreen() throws {
    let app = try RedirectedApp(Journal(), hasWeb: false)
    #expect(
      app.faults([.redirect("estate://x", to: "https://help.example/x")]).map(Self.label)
        == ["0 noTarget https://help.example/x"])
  }

  @Test("A disabled route is not a target")
  func disabledTarget() throws {
    let app = try RedirectedApp(Journal())
    #expect(
      app.faults(
        [.disable("estate://villa/{id:int}?tab={tab?}"), .redirect("estate://x/{id:int}", to: Self.villa)]
      ).map(Self.label) == ["1 noTarget estate://villa/{id:int}"])
  }

  @Test("The faults of a hostile table are limited by its number of rules")
  func hostileTable() throws {
    let app = try RedirectedApp(Journal())
    let same = (0..<500).map { RedirectRule.redirect("estate://a/{x\($0)}", to: "estate://a/{x\($0)}") }
    let faults = app.faults(same)
    #expect(faults.count { if case .duplicate = $0.reason { true } else { false } } == 499)
    #expect(faults.count <= 4 * 500)
    #expect(
      RedirectedApp.errorName { () throws(RedirectTableError) in
        try app.redirects.apply(RedirectTable(version: 1, rules: same + same))
      } == "tooLarge 500")
  }

  @Test(
    "An invalid web host is a fault of the mediator",
    arguments: ["", "a b", "help.example:8443", "user@help.example", "help.example/x"])
  func webHosts(_ host: String) {
    let issue = #expect(throws: RouteTableIssue.self) {
      try RedirectedApp(Journal(), .unsigned(webHosts: [host]))
    }
    #expect(issue?.faults == [.address(host)])
  }
}

extension RedirectReviewTests {
  @Test("A table whose rules all match each other's targets is refused")
  func denseTable() throws {
    let app = try RedirectedApp(Journal())
    let rules = (0..<300).map { RedirectRule.redirect("estate://a/\($0)/{x...}", to: "estate://a/{x...}") }
    let faults = app.faults(rules)
    #expect(faults.count { if case .loop = $0.reason { true } else { false } } == 16)
    #expect(faults.count { if case .noTarget = $0.reason { true } else { false } } == 300)
  }
}
