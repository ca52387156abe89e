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

  /// Requires a login for houses and admits all other routes.
  static let gate = TestGuard("login") { target, _ in
    target.name == "HouseRoute" ? .detour("estate://login") : .proceed
  }

  @Test("Guards run by priority, then by id, the app's before the route's")
  func order() async throws {
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

  @Test("Exposure and parameters are checked before guards run")
  func checksBeforeGuards() async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal, guards: [TestGuard("any") { _, _ in .reject("no") }])
    #expect(
      await errorName { () throws(RouteError) in
        try await mediator.receive("estate://price?id=1", from: .push)
      }
        == "notFound")
    #expect(
      await errorName { () throws(RouteError) in try await mediator.open("estate://price?id=x") }
        == "parameter id \(RouteError.ParameterFault.notOfKind(.int))")
    #expect(!journal.lines.contains { $0.hasPrefix("verdict") })
  }

  @Test("F16: a guard refuses calls by URL and by value, with a reason")
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

  @Test("A guard that throws refuses the call")
  func throwing() async throws {
    struct Broken: Error {}
    let journal = Journal()
    let mediator = try Self.mediator(journal, guards: [TestGuard("broken") { _, _ in throw Broken() }])
    #expect(
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/1") } == "failed")
    #expect(!journal.lines.contains("house 1"))
  }

  @Test("F16: after a detour the call continues with the same URL")
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
    "F16: a detour that does not return true ends the call",
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

  @Test("A detour to a route that does not return Bool refuses the call")
  func wrongDetour() async throws {
    let mediator = try Self.mediator(
      Journal(),
      guards: [
        TestGuard("wrong") { target, _ in
          target.name == "HouseRoute" ? .detour("estate://price?id=1") : .proceed
        }
      ])
    let error = await #expect(throws: RouteError.self) { try await mediator.open("estate://home/7") }
    #expect(error?.caseName == "rejected wrong")
    #expect(error?.description.contains("expects Bool, but the route returns Int") == true)
  }

  @Test("A guard that requires a detour for its own detour ends in a loop error")
  func endlessDetour() async throws {
    let mediator = try Self.mediator(
      Journal(), guards: [TestGuard("always") { _, _ in .detour("estate://login") }])
    let error = await #expect(throws: RouteError.self) { try await mediator.open("estate://home/7") }
    guard case .redirectLoop(let trail) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(trail == ["estate://login", "estate://login"])
  }

  @Test("A detour whose code needs the same detour ends in a loop error")
  func nestedDetour() async throws {
    let mediator = try Self.mediator(Journal(), guards: [Self.gate]) { context in
      // Not through the context, so that only the task knows which detour it is part of.
      try await context.mediator.open("estate://home/8")
      return true
    }
    #expect(
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/7") }
        == "rejected login")
  }

  @Test("A redirect has the permissions of the caller")
  func redirect() async throws {
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
    // The price is not exposed to external callers, and the error mentions only the original URL.
    let error = await #expect(throws: RouteError.self) {
      try await mediator.receive("estate://home/1", from: .push)
    }
    guard case .notFound("estate://home/1", nil, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(journal.lines.last == "failed - forbidden")
  }

  @Test("Eight redirects are followed, and the ninth ends the call", arguments: [8, 9])
  func hopLimit(count: Int) async throws {
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
