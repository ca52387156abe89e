import Mediation
import Testing

/// A redirector of an app's own, which checks nothing.
private struct OwnRedirector: RouteRedirector {
  private struct Rules: RedirectSnapshot {
    let version = 1

    func redirect(
      _ url: RouteURL, matching pattern: RoutePattern?
    ) throws(RouteError) -> (url: String, rule: Int)? {
      url.text == "estate://old" ? ("estate://home/1", 0) : nil
    }

    func disables(_ pattern: RoutePattern) -> Bool { false }
  }

  func snapshot() -> (any RedirectSnapshot)? { Rules() }
}

/// What the mediator enforces whatever a redirector returns.
@Suite(.timeLimit(.minutes(5))) struct RouteRedirectorTests {
  private static func mediator(
    _ journal: Journal, _ redirector: some RouteRedirector, guards: [any RouteGuard] = []
  ) throws -> Mediator {
    let module = TestModule { table in
      table.action(HouseRoute.self) { route, _ in journal.note("house \(route.id)") }
      table.action(PriceRoute.self) { route, _ in route.id }
      table.action(LedgerRoute.self) { _, _ in "ledger" }
    }
    return try Mediator(
      schemes: ["estate"], hosts: ["estate.example"], modules: [module], guards: guards,
      observers: [journal], redirector: redirector)
  }

  @Test("A redirector receives the routes, and each URL with the pattern that it matches")
  func connected() async throws {
    let journal = Journal()
    let redirector = StubRedirector(["estate://old": "estate://home/1"])
    let mediator = try Self.mediator(journal, redirector)
    #expect(
      redirector.routes?.entries.map(\.pattern.text) == [
        "estate://home/{id:int}?tab={tab?}", "estate://price?id={id:int}", "estate://ledger",
      ])
    #expect(redirector.routes?.schemes == ["estate"] && redirector.routes?.hosts == ["estate.example"])
    #expect(redirector.routes?.opensWebPages == false)
    #expect(redirector.routes?.entries.map { $0.admits(.external(.push)) } == [true, false, false])
    try await mediator.open("estate://old")
    #expect(redirector.questions == ["estate://old -", "estate://home/1 estate://home/{id:int}?tab={tab?}"])
    #expect(journal.lines.first == "redirected estate://old to estate://home/1 by 0 of 1")
    #expect(journal.lines.contains("house 1"))
  }

  @Test("A redirector that does not check the routes still redirects")
  func unchecked() async throws {
    let journal = Journal()
    try await Self.mediator(journal, OwnRedirector()).open("estate://old")
    #expect(journal.lines.first == "redirected estate://old to estate://home/1 by 0 of 1")
    #expect(journal.lines.contains("house 1"))
  }

  @Test("The faults of a redirector are faults of the mediator")
  func faults() throws {
    let redirector = StubRedirector([:], faults: [.redirector("no rules; load them first.")])
    let issue = #expect(throws: RouteTableIssue.self) { try Self.mediator(Journal(), redirector) }
    #expect(issue?.faults == [.redirector("no rules; load them first.")])
    #expect(issue?.description.contains("no rules; load them first.") == true)
  }

  @Test("A redirect never leads a caller to a route that is not exposed to it")
  func exposure() async throws {
    let journal = Journal()
    let redirector = StubRedirector([
      "estate://old": "estate://price?id=1", "estate://home/1": "estate://ledger",
      "estate://price?id=2": "estate://home/2",
    ])
    let mediator = try Self.mediator(journal, redirector)
    for url in ["estate://old", "estate://home/1"] {
      #expect(
        throws: RouteError.forbidden(
          url: url == "estate://old" ? "estate://price?id=1" : "estate://ledger", origin: .external(.push))
      ) {
        try mediator.resolve(url, origin: .external(.push))
      }
      await #expect(throws: RouteError.notFound(url: url)) { try await mediator.receive(url, from: .push) }
    }
    // A URL that the caller may not open is not redirected either.
    await #expect(throws: RouteError.notFound(url: "estate://price?id=2")) {
      try await mediator.receive("estate://price?id=2", from: .push)
    }
    #expect(!redirector.questions.contains { $0.hasPrefix("estate://price?id=2") })
    #expect(!journal.lines.contains { $0.hasPrefix("opened") })
  }

  @Test("A redirect never leads a restricted caller to an unlisted route")
  func restricted() async throws {
    let redirector = StubRedirector(["estate://home/1": "estate://home/2", "estate://old": "estate://ledger"])
    let journal = Journal()
    let mediator = try Self.mediator(journal, redirector)
    await #expect(throws: RouteError.notFound(url: "estate://old")) {
      try await mediator.open("estate://old", from: .push, limitedTo: [HouseRoute.self])
    }
    _ = try await mediator.open("estate://home/1", from: .push, limitedTo: [HouseRoute.self])
    #expect(journal.lines.contains("house 2"))
  }

  @Test("A redirector that never stops ends in a loop error, in calls and in resolve")
  func loop() async throws {
    let redirector = StubRedirector(["estate://a": "estate://b", "estate://b": "estate://a"])
    let mediator = try Self.mediator(Journal(), redirector)
    let expected = (0..<10).map { $0 % 2 == 0 ? "estate://a" : "estate://b" }
    await #expect(throws: RouteError.redirectLoop(expected)) { try await mediator.open("estate://a") }
    #expect(throws: RouteError.redirectLoop(expected)) { try mediator.resolve("estate://a") }
  }

  @Test("A call keeps the rules that it began with, and observers are notified of new ones")
  func snapshot() async throws {
    let journal = Journal()
    let reached = Gate()
    let release = Gate()
    let hold = TestGuard("hold") { target, _ in
      guard target.name == "PriceRoute" else { return .proceed }
      reached.open()
      await release.wait()
      return .redirect("estate://home/1")
    }
    let redirector = StubRedirector(["estate://home/1": "estate://home/2"])
    let mediator = try Self.mediator(journal, redirector, guards: [hold])
    let call = Task { try await mediator.open("estate://price?id=1") }
    await reached.wait()
    redirector.change(to: [:])
    release.open()
    try await call.value
    #expect(journal.lines.contains("house 2") && journal.lines.contains("redirects 2"))
    try await mediator.open("estate://home/1")
    #expect(journal.lines.contains("house 1"))
  }

  @Test("A disabled pattern answers no call by value, even without a URL")
  func disabled() async throws {
    let redirector = StubRedirector([:], disabled: [HouseRoute.pattern])
    let mediator = try Self.mediator(Journal(), redirector)
    #expect(
      await errorName { () throws(RouteError) in try await mediator.call(HouseRoute(id: 1, tab: "\0")) }
        == "notFound")
  }
}
