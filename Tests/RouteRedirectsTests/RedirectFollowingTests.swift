import Mediation
import MediationFixtures
import RouteRedirects
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedirectFollowingTests {
  private static func app(_ journal: Journal, _ rules: [RedirectRule]) throws -> RedirectedApp {
    let app = try RedirectedApp(journal)
    try app.redirects.apply(RedirectTable(version: 3, rules: rules))
    return app
  }

  private static let moved = RedirectRule.redirect(
    "estate://home/{id:int}?tab={tab?}", to: "estate://villa/{id:int}?tab={tab?}")

  @Test("A rule redirects a route's URLs with their values, for the app and for external callers")
  func redirect() async throws {
    let journal = Journal()
    let app = try Self.app(journal, [Self.moved])
    try await app.mediator.open("estate://HOME/7?tab=a%2Fb&more=1")
    #expect(
      journal.lines == [
        "redirects 3", "redirected estate://HOME/7?tab=a%2Fb&more=1 to estate://villa/7?tab=a%2Fb by 0 of 3",
        "opened VillaRoute inside by -", "villa 7 a/b", "answered VillaRoute",
      ])
    try await app.mediator.receive("estate://home/8", from: .push)
    #expect(journal.lines.contains("villa 8 -"))
  }

  @Test("A typed call is redirected too")
  func typedCall() async throws {
    let journal = Journal()
    let app = try Self.app(journal, [Self.moved])
    try await app.mediator.call(HouseRoute(id: 9, tab: "x"))
    #expect(journal.lines.contains("villa 9 x") && !journal.lines.contains("house 9 x"))
  }

  @Test("F11: resolve and canOpen follow the table and have no side effects")
  func resolving() async throws {
    let journal = Journal()
    let app = try Self.app(
      journal,
      [
        Self.moved, .redirect("estate://gone/{id:int}", to: "https://help.example/gone/{id:int}"),
        .disable("estate://cellar/{id:int}"),
      ])
    #expect(try app.mediator.resolve("estate://home/7").name == "VillaRoute")
    #expect(app.mediator.canOpen("estate://gone/7"))
    #expect(!app.mediator.canOpen("estate://cellar/7"))
    #expect(journal.lines == ["redirects 3"])
  }

  @Test("A rule can set values and lead to a web page")
  func values() async throws {
    let journal = Journal()
    let app = try Self.app(
      journal,
      [
        .redirect("estate://old/{id:int}", to: "estate://villa/{id:int}?tab={tab?}", values: ["tab": "m&p"]),
        .redirect("estate://help/{path...}", to: "https://help.example/pages/{path...}"),
        .redirect("https://estate.example/h/{id:int}", to: "estate://home/{id:int}"),
      ])
    try await app.mediator.open("estate://old/5")
    try await app.mediator.open("estate://help/a%2Fb/c")
    try await app.mediator.receive("https://estate.example/h/6", from: .universal(host: "estate.example"))
    #expect(
      journal.lines.filter { ["villa", "web ", "house"].contains($0.prefix(5)) || $0.hasPrefix("web") } == [
        "villa 5 m&p", "web https://help.example/pages/a%2Fb/c", "house 6 -",
      ])
  }

  @Test("Routes narrower than a rule keep their URLs, and narrower rules take precedence")
  func precedence() async throws {
    let journal = Journal()
    let app = try Self.app(
      journal,
      [
        .redirect("estate://home/{path...}", to: "estate://help/{path...}"),
        .redirect("estate://home/new", to: "estate://villa/1"),
      ])
    try await app.mediator.open("estate://home/1")
    try await app.mediator.open("estate://home/x/y")
    try await app.mediator.open("estate://home/new")
    #expect(
      journal.lines.filter { $0.hasPrefix("house") || $0.hasPrefix("help") || $0.hasPrefix("villa") } == [
        "house 1 -", "help [\"x\", \"y\"]", "villa 1 -",
      ])
  }

  @Test("F6: a disabled route answers no caller, and the fallback runs instead")
  func disabled() async throws {
    let journal = Journal()
    let module = TestModule { table in
      table.action(HouseRoute.self) { route, _ in journal.note("house \(route.id)") }
    }
    let app = try RedirectedApp(
      module, observers: [journal],
      notFound: RouteFallback { url, _ in journal.note("none \(url.text)") })
    try app.redirects.apply(
      RedirectTable(version: 1, rules: [.disable("estate://home/{id:int}?tab={tab?}")]))
    try await app.mediator.open("estate://home/1")
    try await app.mediator.call(HouseRoute(id: 2))
    try await app.mediator.receive("estate://home/3", from: .push)
    // A value that no URL can carry does not bypass the rule.
    #expect(
      await errorName { () throws(RouteError) in try await app.mediator.call(HouseRoute(id: 4, tab: "\0")) }
        == "notFound")
    #expect(
      journal.lines.filter { $0.hasPrefix("none") || $0.hasPrefix("house") } == [
        "none estate://home/1", "none estate://home/2", "none estate://home/3",
      ])
    app.redirects.removeAll()
    try await app.mediator.open("estate://home/5")
    #expect(journal.lines.contains("house 5"))
  }

  @Test("F5: a table does not open closed routes to external callers")
  func noMoreRights() async throws {
    let journal = Journal()
    let app = try RedirectedApp(journal, hasWeb: false)
    // An unused address may lead to a route of the app alone, but external callers cannot reach it that way.
    try app.redirects.apply(
      RedirectTable(
        version: 1,
        rules: [
          .redirect("estate://secret/{id:int}", to: "estate://cellar/{id:int}"),
          .redirect("estate://cellar/{id:int}", to: "estate://villa/{id:int}"),
        ]))
    for url in ["estate://secret/1", "estate://cellar/1", "estate://nowhere"] {
      let error = await #expect(throws: RouteError.self) { try await app.mediator.receive(url, from: .push) }
      guard case .notFound(url, nil, _) = error else {
        Issue.record("\(url): \(String(describing: error))")
        continue
      }
    }
    #expect(!journal.lines.contains { $0.hasPrefix("villa") || $0.hasPrefix("cellar") })
    try await app.mediator.open("estate://secret/1")
    #expect(journal.lines.contains("villa 1 -"))
  }

  @Test("A loop of a guard and a table ends in a loop error with its trail")
  func loop() async throws {
    let back = TestGuard("back") { target, _ in
      target.name == "VillaRoute" ? .redirect("estate://home/1") : .proceed
    }
    let module = TestModule { table in
      table.action(HouseRoute.self) { _, _ in }
      table.action(VillaRoute.self) { _, _ in }
    }
    let app = try RedirectedApp(module, guards: [back])
    try app.redirects.apply(RedirectTable(version: 1, rules: [Self.moved]))
    let error = await #expect(throws: RouteError.self) { try await app.mediator.open("estate://home/1") }
    guard case .redirectLoop(let trail)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(trail == (0..<10).map { $0 % 2 == 0 ? "estate://home/1" : "estate://villa/1" })
  }

  @Test("Eight rules in a row are followed, and a ninth is a fault", arguments: [8, 9])
  func chain(_ count: Int) async throws {
    let journal = Journal()
    let app = try RedirectedApp(journal)
    var rules = (1..<count).map {
      RedirectRule.redirect("estate://step/\($0)/{id:int}", to: "estate://step/\($0 + 1)/{id:int}")
    }
    rules.append(.redirect("estate://step/\(count)/{id:int}", to: "estate://villa/{id:int}"))
    let faults = app.faults(rules)
    if count == 8 {
      #expect(faults == [])
      try await app.mediator.open("estate://step/1/5")
      #expect(journal.lines.contains("villa 5 -"))
      #expect(try app.mediator.resolve("estate://step/1/5").name == "VillaRoute")
    } else {
      #expect(faults.map(\.rule) == [0])
      #expect(faults.map(\.reason) == [.tooManyHops(limit: 8)])
    }
  }

  @Test("A call uses the table that it began with")
  func tableOfCall() async throws {
    let journal = Journal()
    let asked = Gate()
    let go = Gate()
    let ask = TestGuard("ask") { target, _ in
      guard target.name == "CellarRoute" else { return .proceed }
      asked.open()
      await go.wait()
      return .redirect("estate://home/1")
    }
    let module = TestModule { table in
      table.action(HouseRoute.self) { route, _ in journal.note("house \(route.id)") }
      table.action(VillaRoute.self) { route, _ in journal.note("villa \(route.id)") }
      table.action(CellarRoute.self) { _, _ in }
    }
    let app = try RedirectedApp(module, guards: [ask])
    try app.redirects.apply(RedirectTable(version: 1, rules: [Self.moved]))
    let call = Task { try await app.mediator.open("estate://cellar/1") }
    await asked.wait()
    app.redirects.removeAll()
    go.open()
    try await call.value
    #expect(journal.lines == ["villa 1"])
    try await app.mediator.open("estate://home/2")
    #expect(journal.lines == ["villa 1", "house 2"])
  }

  /// A route with an alias and an optional segment.
  private struct TowerRoute: Route {
    static let pattern: RoutePattern = "estate://tower/{id:int}/{floor:int?}"
    static let aliases: [RoutePattern] = ["estate://block/{id:int}"]
    let id: Int
    let floor: Int?
    init(from input: RouteInput) throws(RouteError) {
      id = try input.value("id")
      floor = try input.optional("floor")
    }
    func write(to output: inout RouteOutput) {
      output.set("id", to: id)
      output.set("floor", to: floor)
    }
  }

  private static func towers(_ journal: Journal) throws -> RedirectedApp {
    let module = TestModule { table in
      table.action(TowerRoute.self) { route, _ in journal.note("tower \(route.id) \(route.floor ?? 0)") }
      table.action(VillaRoute.self) { route, _ in journal.note("villa \(route.id) \(route.tab ?? "-")") }
    }
    return try RedirectedApp(module)
  }

  @Test("A rule applies to its own pattern, so each alias needs a rule")
  func aliases() async throws {
    let journal = Journal()
    let app = try Self.towers(journal)
    try app.redirects.apply(
      RedirectTable(version: 1, rules: [.disable("estate://block/{id:int}?floor={floor:int?}")]))
    #expect(
      await errorName { () throws(RouteError) in try await app.mediator.open("estate://block/1") }
        == "notFound")
    try await app.mediator.open("estate://tower/1/2")
    try app.redirects.apply(
      RedirectTable(
        version: 2,
        rules: [
          .redirect("estate://tower/{id:int}/{floor:int?}", to: "estate://villa/{id:int}?tab={floor?}"),
          .redirect("estate://block/{x...}", to: "estate://villa/9"),
        ]))
    try await app.mediator.open("estate://tower/3/4")
    try await app.mediator.open("estate://tower/5")
    // The alias is narrower than the second rule and keeps its URLs.
    try await app.mediator.open("estate://block/6")
    try await app.mediator.open("estate://block/x/y")
    #expect(journal.lines == ["tower 1 2", "villa 3 4", "villa 5 -", "tower 6 0", "villa 9 -"])
  }

  @Test("An optional segment fits only an optional placeholder")
  func optionalSegment() throws {
    let app = try Self.towers(Journal())
    #expect(
      app.faults([.redirect("estate://a/{id:int?}", to: "estate://villa/{id:int}")]
      ).map(\.reason) == [.unfit(name: "id")])
    #expect(
      app.faults(
        [.redirect("estate://a/{id:int}?f={floor:int?}", to: "estate://tower/{id:int}/{floor:int?}")]) == [])
  }
}
