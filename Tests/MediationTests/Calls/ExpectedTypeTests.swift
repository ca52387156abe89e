import Mediation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ExpectedTypeTests {
  private class Report: @unchecked Sendable {}
  private final class PriceReport: Report, @unchecked Sendable {}

  private struct ReportRoute: ParameterlessRoute {
    typealias Output = PriceReport
    static let pattern: RoutePattern = "estate://report"
  }

  private struct AnyReportRoute: ParameterlessRoute {
    typealias Output = Report
    static let pattern: RoutePattern = "estate://any-report"
  }

  private static func mediator(_ journal: Journal) throws -> Mediator {
    let module = TestModule { table in
      table.guarded(
        by: TestGuard("log") { target, _ in
          journal.note("guard \(target.name)")
          return .proceed
        })
      table.action(PriceRoute.self) { route, _ in
        journal.note("ran PriceRoute")
        return route.id
      }
      table.action(ReportRoute.self) { _, _ in PriceReport() }
      table.action(AnyReportRoute.self) { _, _ in PriceReport() }
      table.action(at: "estate://page/{name}", named: "Page") { input, _ in
        journal.note("ran Page")
        return try input.value("name", as: String.self)
      }
    }
    return try Mediator(schemes: ["estate"], modules: [module])
  }

  @Test(
    "F9: if the route returns another type, neither its guards nor its code run",
    arguments: ["estate://price?id=4", "estate://page/a"])
  func nothingRuns(url: String) async throws {
    let journal = Journal()
    let mediator = try Self.mediator(journal)
    let output = url.contains("price") ? "Int" : "String"
    let error = await #expect(throws: RouteError.self) { try await mediator.open(url, returning: Bool.self) }
    #expect(error == .resultMismatch(expected: "Bool", got: output))
    #expect(try await mediator.open(url, returning: Bool.self, else: true))
    #expect(journal.lines.isEmpty)
  }

  @Test("F9: a guard's redirect to a route of another type does not run that route")
  func redirected() async throws {
    let journal = Journal()
    let module = TestModule { table in
      table.action(
        LoginRoute.self, guards: [TestGuard("away") { _, _ in .redirect("estate://price?id=1") }]
      ) { _, _ in true }
      table.action(PriceRoute.self) { _, _ in
        journal.note("ran PriceRoute")
        return 1
      }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    let error = await #expect(throws: RouteError.self) { try await mediator.call(LoginRoute()) }
    #expect(error == .resultMismatch(expected: "Bool", got: "Int"))
    #expect(journal.lines.isEmpty)
  }

  @Test("F10: an optional, a superclass and any Sendable accept the route's result")
  func widerTypes() async throws {
    let mediator = try Self.mediator(Journal())
    #expect(try await mediator.open("estate://price?id=4", returning: Int?.self) == 4)
    #expect(try await mediator.open("estate://price?id=4", returning: (any Sendable).self) as? Int == 4)
    #expect(try await mediator.open("estate://report", returning: Report.self) is PriceReport)
    #expect(
      type(of: try await mediator.open("estate://any-report", returning: PriceReport.self))
        == PriceReport.self)
  }
}
