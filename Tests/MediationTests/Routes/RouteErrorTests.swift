import Mediation
import Testing

@Suite(.timeLimit(.minutes(5))) struct RouteErrorTests {
  private struct Closed: Error, Equatable, CustomStringConvertible {
    var hours = 1
    var description: String { "closed for \(hours) hours" }
  }
  private struct Vague: Error { var note = "a" }

  @Test("A failure that passes through several routes states once that a route's code failed")
  func nestedFailures() async throws {
    let module = TestModule { table in
      table.action(PriceRoute.self) { _, _ in throw Closed() }
      table.action(LedgerRoute.self) { _, context in "\(try await context.call(PriceRoute(id: 1)))" }
      table.action(LoginRoute.self) { _, context in
        try await context.open("estate://ledger", returning: String.self).isEmpty
      }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    let error = await #expect(throws: RouteError.self) { try await mediator.call(LoginRoute()) }
    #expect(error?.description == "The route's code failed: closed for 1 hours")
    #expect(error == .failed(RouteError.failed(RouteError.failed(Closed()))))
  }

  private static let all: [RouteError] = [
    .malformedURL(RouteURL.SyntaxError(.nul, at: 1)), .malformedURL(RouteURL.SyntaxError(.nul, at: 2)),
    .notFound(url: "a"),
    .notFound(url: "a", nearest: "b"), .forbidden(url: "a", origin: .external(.push)),
    .forbidden(url: "a", origin: .native(module: nil)), .parameter(name: "a", reason: .missing),
    .parameter(name: "a", reason: .repeated), .rejected(by: "a", reason: "b"),
    .rejected(by: "a", reason: "c"),
    .overdue(by: "a", limit: .seconds(1)), .overdue(by: "a", limit: .seconds(2)), .linkDropped(limit: 1),
    .linkDropped(limit: 2), .redirectLoop(["a"]), .redirectLoop(["b"]), .dismissed, .cancelled,
    .resultMismatch(expected: "a", got: "b"), .resultMismatch(expected: "b", got: "a"), .failed(Closed()),
    .failed(Closed(hours: 2)), .failed(Vague()), .failed(Vague(note: "b")), .failed(RouteError.dismissed),
  ]

  @Test(
    "Errors are equal if case and values are; an error of the route's code by its own equality or description"
  )
  func equality() {
    for (one, left) in Self.all.enumerated() {
      for (other, right) in Self.all.enumerated() { #expect((left == right) == (one == other)) }
    }
  }
}
