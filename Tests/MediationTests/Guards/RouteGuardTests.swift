import Mediation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct RouteGuardTests {
  static func mediator(
    _ journal: Journal, guards: [any RouteGuard] = [], routeGuards: [any RouteGuard] = [],
    login: @escaping @Sendable (RouteContext) async throws -> Bool = { _ in true }
  ) throws -> Mediator {
    let module = TestModule { table in
      table.action(HouseRoute.self, guards: routeGuards) { route, _ in journal.note("house \(route.id)") }
      table.action(PriceRoute.self) { route, _ in route.id }
      table.action(LoginRoute.self) { _, context in try await login(context) }
    }
    return try Mediator(schemes: ["estate"], modules: [module], guards: guards, observers: [journal])
  }

  /// Lets everything pass but the houses, which need a login.
  static let gate = TestGuard("login") { target, _ in
    target.name == "HouseRoute" ? .detour("estate://login") : .proceed
  }

  @Test func `guards are asked by priority, then by id, the app's before the route's`() async throws {
    let journal = Journal()
    let proceed: @Sendable (RouteSummary, RouteContext) async throws -> GuardVerdict = { _, _ in .proceed }
    let mediator = try Self.mediator(
      journal,
      guards: [TestGuard("b", proceed), TestGuard("a", proceed), TestGuard("late", priority: -1, proceed)],
      routeGuards: [TestGuard("own", priority: 9, proceed), TestGuard("first", priority: 10, proceed)])
    try await mediator.open("estate://home/1")
    #expect(
      journal.lines == [
        "verdict a proceed", "verdict b proceed", "verdict late proceed", "verdict first proceed",
        "verdict own proceed", "opened HouseRoute inside by -", "house 1", "answered HouseRoute",
      ])
  }

  @Test func `exposure and parameters come before guards`() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal, guards: [TestGuard("any") { _, _ in .reject("no") }])
    #expect(
      await errorName { () throws(RouteError) in
        try await mediator.receive("estate://price?id=1", from: .push)
      }
        == "notFound")
    #expect(
      await errorName { () throws(RouteError) in try await mediator.open("estate://price?id=x") }
        == "parameter id \(ParameterFault.notOfKind(.int))")
    #expect(!journal.lines.contains { $0.hasPrefix("verdict") })
  }

  @Test("F16: a guard refuses, by URL and by value, and says why")
  func rejection() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal, guards: [TestGuard("age") { _, _ in .reject("too young") }])
    let error = await #expect(throws: RouteError.self) { try await mediator.open("estate://home/1") }
    #expect(error?.description == "Guard \"age\" refused: too young")
    #expect(
      await errorName { () throws(RouteError) in try await mediator.call(HouseRoute(id: 1)) }
        == "rejected age")
    #expect(!journal.lines.contains("house 1"))
  }

  @Test func `a guard that throws refuses`() async throws {
    struct Broken: Error {}
    let journal = Journal()
    let mediator = try Self.mediator(journal, guards: [TestGuard("broken") { _, _ in throw Broken() }])
    #expect(
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/1") } == "failed")
    #expect(!journal.lines.contains("house 1"))
  }

  @Test("F16: a detour is opened and the same URL goes on after it")
  func detour() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal, guards: [Self.gate])
    try await mediator.receive("estate://home/7?tab=x", from: .scheme("estate"))
    #expect(
      journal.lines == [
        "verdict login detour(\"estate://login\")", "verdict login proceed",
        "opened LoginRoute inside by estate://home/7?tab=x", "answered LoginRoute",
        "opened HouseRoute outside by -", "house 7", "answered HouseRoute",
      ])
  }

  @Test(
    "F16: a detour without a yes ends the call",
    arguments: [
      (RouteError?.none, "rejected login"), (.dismissed, "rejected login"),
      (.failed(CancellationError()), "rejected login"), (.cancelled, "cancelled"),
    ])
  func refusedDetour(_ thrown: RouteError?, _ expected: String) async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal, guards: [Self.gate]) { _ in
      if let thrown { throw thrown }
      return false
    }
    #expect(
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/7") } == expected)
    #expect(!journal.lines.contains("house 7"))
  }

  @Test func `a detour to a route that answers no Bool refuses`() async throws {
    let mediator = try Self.mediator(
      Journal(),
      guards: [
        TestGuard("wrong") { target, _ in
          target.name == "HouseRoute" ? .detour("estate://price?id=1") : .proceed
        }
      ])
    let error = await #expect(throws: RouteError.self) { try await mediator.open("estate://home/7") }
    #expect(error?.caseName == "rejected wrong")
    #expect(error?.description.contains("expects Bool and the route answers Int") == true)
  }

  @Test func `a guard that sends its own detour on a detour ends in a loop error`() async throws {
    let mediator = try Self.mediator(
      Journal(), guards: [TestGuard("always") { _, _ in .detour("estate://login") }])
    let error = await #expect(throws: RouteError.self) { try await mediator.open("estate://home/7") }
    guard case .redirectLoop(let trail) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(trail == ["estate://login", "estate://login"])
  }

  @Test func `a detour whose code needs the same detour ends in a loop error`() async throws {
    let mediator = try Self.mediator(Journal(), guards: [Self.gate]) { context in
      // Past the context, so that only the task knows in which detour it runs.
      try await context.mediator.open("estate://home/8")
      return true
    }
    #expect(
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/7") }
        == "rejected login")
  }

  @Test func `a redirect is followed with the caller's rights`() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(
      journal,
      guards: [
        TestGuard("moved") { target, _ in
          target.parameters["id"] == "1" && target.name == "HouseRoute"
            ? .redirect("estate://price?id=1") : .proceed
        }
      ])
    try await mediator.open("estate://home/1")
    #expect(journal.lines.contains("opened PriceRoute inside by -"))
    // From outside the price is not exposed, and the error speaks of nothing but what was asked.
    let error = await #expect(throws: RouteError.self) {
      try await mediator.receive("estate://home/1", from: .push)
    }
    guard case .notFound("estate://home/1", nil) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(journal.lines.last == "failed - forbidden")
  }

  @Test(arguments: [8, 9]) func `eight redirects are followed and the ninth ends the call`(count: Int)
    async throws
  {
    let journal = Journal()
    let mediator = try Self.mediator(
      journal,
      guards: [
        TestGuard("next") { target, _ in
          let id = target.parameters["id"].flatMap { Int($0) } ?? 0
          return id < count ? .redirect("estate://home/\(id + 1)") : .proceed
        }
      ])
    var failure: RouteError?
    do throws(RouteError) {
      try await mediator.open("estate://home/0")
    } catch {
      failure = error
    }
    if count == 8 {
      #expect(failure == nil)
      #expect(journal.lines.contains("house 8"))
    } else if case .redirectLoop(let trail)? = failure {
      #expect(trail == (0...9).map { "estate://home/\($0)" })
    } else {
      Issue.record("\(String(describing: failure))")
    }
  }
}
