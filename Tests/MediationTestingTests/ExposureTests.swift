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

  @Test func `a link route is guarded or called open`() throws {
    let run = try Self.run()
    try run.checkExposure(open: ["ListRoute"])
    try run.checkExposure(decidedBy: ["all"])
    let failure = #expect(throws: MediationCheckFailure.self) { try run.checkExposure() }
    #expect(
      failure?.problems == [
        "ListRoute \"estate://list/{kind}?sort={sort?}\" of module Guarded is open to links and no guard decides; guard it "
          + "(G.swift:2), narrow its exposure, or call it open."
      ])
  }

  @Test func `names that are no link route's and ids of no guard are problems`() throws {
    let failure = #expect(throws: MediationCheckFailure.self) {
      try Self.run().checkExposure(open: ["ListRoute", "BestRoute"], decidedBy: ["none"])
    }
    #expect(
      failure?.problems == [
        "BestRoute is called open, but no link reaches a route of that name; remove it from the list.",
        "The app has no guard \"none\"; correct the id.",
      ])
  }
}
