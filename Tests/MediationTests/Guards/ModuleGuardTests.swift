import Mediation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ModuleGuardTests {
  private static let proceed: @Sendable (RouteSummary, RouteContext) async throws -> GuardVerdict = { _, _ in
    .proceed
  }

  @Test("F16: the app's guards run first, then the module's, then the route's")
  func order() async throws {
    let journal = Journal()
    let homes = TestModule { table in
      table.action(HouseRoute.self, guards: [TestGuard("a-route", priority: 100, Self.proceed)]) { _, _ in }
      // Module guards apply to routes declared earlier too.
      table.guarded(
        by: TestGuard("c-module", Self.proceed), TestGuard("b-module", Self.proceed),
        TestGuard("z-module", priority: 50, Self.proceed))
    }
    let others = TestModule("Others") { table in table.action(PriceRoute.self) { route, _ in route.id } }
    let mediator = try Mediator(
      schemes: ["estate"], modules: [homes, others], guards: [TestGuard("app", Self.proceed)],
      observers: [journal])
    try await mediator.open("estate://home/1")
    #expect(
      journal.lines.filter { $0.hasPrefix("verdict") } == [
        "verdict app proceed", "verdict z-module proceed", "verdict b-module proceed",
        "verdict c-module proceed",
        "verdict a-route proceed",
      ])
    // The guards do not run for other modules' routes.
    try await mediator.open("estate://price?id=1")
    #expect(journal.lines.filter { $0.hasPrefix("verdict") }.count == 6)
  }

  @Test("A module's guard refuses typed calls as well as URLs")
  func typedCalls() async throws {
    let module = TestModule { table in
      table.guarded(by: TestGuard("closed") { _, _ in .reject("closed") })
      table.action(MapRoute.self) { _, _ in "" }
      table.action(HouseRoute.self) { _, _ in }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    #expect(
      await errorName { () throws(RouteError) in _ = try await mediator.call(MapRoute { $0 }) }
        == "rejected closed")
    #expect(
      await errorName { () throws(RouteError) in try await mediator.open("estate://home/1") }
        == "rejected closed")
  }

  @Test("Two guard types with the same id are a fault of the table")
  func sameID() throws {
    struct OtherGuard: RouteGuard {
      let id = "same"
      func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict { .proceed }
    }
    let module = TestModule { table in
      table.guarded(by: OtherGuard())
      table.action(HouseRoute.self, guards: [TestGuard("same", Self.proceed)]) { _, _ in }
    }
    let issue = #expect(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], modules: [module])
    }
    #expect(issue?.faults == [.guardID("same")])
  }
}
