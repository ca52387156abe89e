import Mediation
import Testing

@Suite(.timeLimit(.minutes(5))) struct MediatorCallingTests {
  struct Unavailable: Error {}

  static func module(_ journal: Journal) -> TestModule {
    TestModule { table in
      table.action(HouseRoute.self) { route, context in
        journal.note("house \(route.id) \(route.tab ?? "-") url=\(context.url?.text ?? "-")")
      }
      table.action(PriceRoute.self) { route, _ in
        if route.id == 0 { throw Unavailable() }
        if route.id < 0 { throw CancellationError() }
        return route.id * 1000
      }
      table.action(LedgerRoute.self) { _, _ in "ledger" }
      table.action(MapRoute.self) { route, context in
        journal.note("map opener=\(context.opener ?? "-")")
        return route.transform("map")
      }
    }
  }

  static func mediator(
    _ journal: Journal, web: RouteFallback? = nil, notFound: RouteFallback? = nil,
    links: LinkQueuePolicy? = nil
  ) throws -> Mediator {
    try Mediator(
      schemes: ["estate"], hosts: ["estate.example"], modules: [module(journal)], observers: [journal],
      web: web, notFound: notFound, links: links)
  }

  @Test("F3: a call in the app passes any value, including closures")
  func nativeValues() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    let suffix = "!"
    let answer = try await mediator.call(MapRoute { $0.uppercased() + suffix })
    #expect(answer == "MAP!")
  }

  @Test("F10: a call returns the route's type, by value and by URL")
  func typedResult() async throws {
    let mediator = try Self.mediator(Journal())
    let byValue: Int = try await mediator.call(PriceRoute(id: 3))
    #expect(byValue == 3000)
    #expect(try await mediator.open("estate://price?id=4", returning: Int.self) == 4000)
    #expect(try await mediator.open("estate://price?id=4", returning: Int?.self) == 4000)
    try await mediator.open("estate://home/1", returning: Void.self)
    try await mediator.call(HouseRoute(id: 1))
  }

  @Test("F9: a result of another type is an error that names both types")
  func wrongType() async throws {
    let mediator = try Self.mediator(Journal())
    #expect(
      await errorName { () throws(RouteError) in
        _ = try await mediator.open("estate://price?id=4", returning: String.self)
      } == "resultMismatch String Int")
    #expect(
      await errorName { () throws(RouteError) in
        _ = try await mediator.open("estate://home/4", returning: Bool.self)
      } == "resultMismatch Bool ()")
  }

  @Test("F10: an error of an action is distinct from not found and from cancellation")
  func serviceErrors() async throws {
    let mediator = try Self.mediator(Journal())
    let error = await #expect(throws: RouteError.self) { try await mediator.call(PriceRoute(id: 0)) }
    guard case .failed(let underlying, _) = error else {
      Issue.record("expected .failed, got \(String(describing: error))")
      return
    }
    #expect(underlying is Unavailable)
    #expect(
      await errorName { () throws(RouteError) in _ = try await mediator.call(PriceRoute(id: -1)) }
        == "cancelled")
  }

  @Test("F2: a URL opens its route with decoded parameters, and the scheme is checked")
  func byURL() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    try await mediator.open("ESTATE://home/42?tab=a%26b+c&unknown=1#tab=z")
    #expect(journal.lines.contains("house 42 a&b c url=ESTATE://home/42?tab=a%26b+c&unknown=1#tab=z"))
    #expect(
      await errorName { () throws(RouteError) in try await mediator.open("other://home/42") } == "notFound")
  }

  @Test("F2: the app uses the first of repeated fields; in an external URL they are an error")
  func repeatedFields() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    try await mediator.open("estate://home/1?tab=a&tab=b")
    #expect(journal.lines.contains { $0.hasPrefix("house 1 a ") })
    let error = await errorName { () throws(RouteError) in
      try await mediator.receive("estate://home/1?tab=a&tab=b", from: .scheme("estate"))
    }
    #expect(error == "parameter tab \(RouteError.ParameterFault.repeated)")
  }

  @Test(
    "A wrong parameter is named and is not reported as \"not found\"",
    arguments: [
      ("estate://home/abc", "parameter id \(RouteError.ParameterFault.notOfKind(.int))"),
      ("estate://home/4.5", "parameter id \(RouteError.ParameterFault.notOfKind(.int))"),
      ("estate://price", "parameter id \(RouteError.ParameterFault.missing)"),
      ("estate://price?id=", "parameter id \(RouteError.ParameterFault.notOfKind(.int))"),
      ("estate://price?id=x", "parameter id \(RouteError.ParameterFault.notOfKind(.int))"),
      ("estate://home/abc/more", "notFound"), ("estate://home", "notFound"),
      ("estate://home/%FF", "malformedURL"),
    ])
  func wrongParameter(_ url: String, _ expected: String) async throws {
    let mediator = try Self.mediator(Journal())
    #expect(await errorName { () throws(RouteError) in try await mediator.open(url) } == expected)
  }

  @Test("The error for an unknown URL names the nearest pattern, but only to the app")
  func nearestPattern() async throws {
    let mediator = try Self.mediator(Journal())
    let inside = await #expect(throws: RouteError.self) { try await mediator.open("estate://hom/42?token=t") }
    #expect(
      inside?.description
        == "No route matches estate://hom/42…: did you mean estate://home/{id:int}?tab={tab?}?")
    let outside = await #expect(throws: RouteError.self) {
      try await mediator.receive("estate://hom/42?token=t", from: .scheme("estate"))
    }
    #expect(
      outside?.description
        == "No route matches estate://hom/42…: check the URL, or declare a route for it.")
  }

  @Test("F11: resolve and canOpen have no side effects")
  func pure() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    let summary = try mediator.resolve("estate://home/42?tab=x")
    #expect(summary.name == "HouseRoute")
    #expect(summary.module == "Homes")
    #expect(summary.parameters == ["id": "42", "tab": "x"])
    #expect(mediator.canOpen("estate://home/42"))
    #expect(!mediator.canOpen("estate://home/x"))
    #expect(!mediator.canOpen("estate://nowhere"))
    #expect(!mediator.canOpen("https://elsewhere.example/"))
    #expect(mediator.canOpen("estate://home/42", origin: .external(.push)))
    #expect(!mediator.canOpen("estate://price?id=1", origin: .external(.push)))
    #expect(journal.lines.isEmpty)
  }

  @Test("A route that no module declares is not found by value either")
  func undeclared() async throws {
    let mediator = try Self.mediator(Journal())
    #expect(
      await errorName { () throws(RouteError) in _ = try await mediator.call(LoginRoute()) } == "notFound")
  }

  @Test("F17: the opened route and the observers know the opener, by URL or by name")
  func opener() async throws {
    let journal = Journal()
    let caller = TestModule("Callers") { table in
      table.action(LoginRoute.self) { _, context in
        _ = try await context.call(MapRoute { $0 })
        return true
      }
    }
    let mediator = try Mediator(
      schemes: ["estate"], modules: [Self.module(journal), caller], observers: [journal])
    try await mediator.open("estate://login")
    #expect(
      journal.lines == [
        "opened LoginRoute inside by -", "opened MapRoute inside by estate://login",
        "map opener=estate://login",
        "answered MapRoute", "answered LoginRoute",
      ])
  }

  @Test("A module-only route answers only its own module")
  func moduleOnly() async throws {
    let inner = TestModule("Ledgers") { table in
      table.action(LedgerRoute.self) { _, _ in "ledger" }
      table.action(MapRoute.self) { _, context in
        try await context.open("estate://ledger", returning: String.self)
      }
    }
    let outer = TestModule("Others") { table in
      table.action(LoginRoute.self) { _, context in
        try await context.open("estate://ledger", returning: String.self) == "ledger"
      }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [inner, outer])
    #expect(try await mediator.call(MapRoute { $0 }) == "ledger")
    #expect(
      await errorName { () throws(RouteError) in _ = try await mediator.call(LoginRoute()) } == "failed")
    #expect(
      await errorName { () throws(RouteError) in try await mediator.open("estate://ledger") } == "forbidden")
  }

  @Test(
    "A route reads back what it writes",
    arguments: [
      HouseRoute(id: 1), HouseRoute(id: -7, tab: "a&b=c d/é+%#?"), HouseRoute(id: .min, tab: ""),
      HouseRoute(id: .max, tab: "北京"),
    ])
  func roundTrip(_ route: HouseRoute) async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    let url = try mediator.url(for: route)
    try await mediator.receive(url, from: .scheme("estate"))
    #expect(journal.lines.contains("house \(route.id) \(route.tab ?? "-") url=\(url)"))
    #expect(try mediator.url(for: HouseRoute(id: 7, tab: "a b")) == "estate://home/7?tab=a%20b")
  }
}
