import Mediation
import MediationTesting
import Testing

@MainActor @Suite struct ExposureTests {
  private struct Pass: RouteGuard {
    let id: String
    func check(_ target: RouteSummary, _ context: RouteContext) -> GuardVerdict { .proceed }
  }

  private struct GuardedModule: BusinessModule {
    let name = "Guarded"
    func declare(into table: inout RouteTable) {
      table.action(HomeRoute.self, guards: [Pass(id: "members")], file: "G.swift", line: 1) { _, _ in }
      table.action(ListRoute.self, file: "G.swift", line: 2) { _, _ in }
      table.action(BestRoute.self) { _, _ in [] }
    }
  }

  private static func run() throws -> MediationRun {
    try MediationKit(schemes: ["estate"], modules: [GuardedModule()], guards: [Pass(id: "all")]).start()
  }

  @Test("A link route without a guard must be listed as open")
  func linkRoutes() throws {
    let run = try Self.run()
    try run.checkExposure(open: ["ListRoute"])
    try run.checkExposure(decidedBy: ["all"])
    let failure = #expect(throws: MediationCheckFailure.self) { try run.checkExposure() }
    #expect(
      failure?.problems == [
        "ListRoute \"estate://list/{kind}?sort={sort?}\" of module Guarded can be reached by links without a guard; guard it "
          + "(G.swift:2), narrow its exposure, or list it as open."
      ])
  }

  @Test("Open names without a link route and ids without a guard are problems")
  func unknownNames() throws {
    let failure = #expect(throws: MediationCheckFailure.self) {
      try Self.run().checkExposure(open: ["ListRoute", "BestRoute"], decidedBy: ["none"])
    }
    #expect(
      failure?.problems == [
        "BestRoute is listed as open, but no link can reach a route with this name; remove it from the list.",
        "The app has no guard \"none\"; correct the id.",
      ])
  }
}
