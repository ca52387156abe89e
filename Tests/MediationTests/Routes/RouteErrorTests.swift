import Mediation
import Testing

@Suite(.timeLimit(.minutes(5))) struct RouteErrorTests {
  private struct Closed: Error, Equatable, CustomStringConvertible {
    var hours = 1
    var description: String { "closed for \(hours) hours" }
  }
  private struct Vague: Error { var note = "a" }

  @Test("A failure that passes through several routes names the innermost one, its module and its caller")
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
    #expect(
      error?.description
        == "The code of estate://price?id={id:int} of module Homes, called by module Homes, failed: closed for 1 hours"
    )
    #expect(error == .failed(RouteError.failed(RouteError.failed(Closed()))))
    #expect("\(RouteError.failed(Closed()))" == "The route's code failed: closed for 1 hours")
  }

  @Test("A failure names the caller that called the route: the app, another module or a link")
  func callers() async throws {
    let homes = TestModule("Homes") { table in
      table.action(HouseRoute.self) { _, _ in throw Closed() }
      table.action(MapRoute.self) { _, _ in throw Closed() }
    }
    let search = TestModule("Search") { table in
      table.action(LoginRoute.self) { _, context in
        try await context.call(HouseRoute(id: 7, tab: "s3cret"))
        return true
      }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [homes, search])
    func text(_ call: () async throws -> Void) async throws -> String {
      let error = await #expect(throws: RouteError.self) { try await call() }
      return try #require(error).description
    }
    let house = "The code of estate://home/{id:int}?tab={tab?} of module Homes, called by"
    #expect(
      try await text { try await mediator.call(HouseRoute(id: 7)) }
        == "\(house) the app's own code, failed: closed for 1 hours")
    #expect(
      try await text { _ = try await mediator.call(LoginRoute()) }
        == "\(house) module Search, failed: closed for 1 hours")
    #expect(
      try await text { try await mediator.receive("estate://home/7?tab=s3cret", from: .scheme("estate")) }
        == "\(house) links of scheme estate, failed: closed for 1 hours")
    #expect(
      try await text { _ = try await mediator.call(MapRoute { $0 }) }
        == "The code of MapRoute of module Homes, called by the app's own code, failed: closed for 1 hours")
  }

  @Test(
    "A wrong parameter is named with its route, its module and the caller, without its value",
    arguments: [
      ("estate://home/s3cret", "estate://home/{id:int}?tab={tab?}", "is not "),
      ("estate://price", "estate://price?id={id:int}", "is missing"),
      ("estate://price?id=s3cret", "estate://price?id={id:int}", "is not "),
    ])
  func parameters(url: String, pattern: String, words: String) async throws {
    let module = TestModule { table in
      table.action(HouseRoute.self) { _, _ in }
      table.action(PriceRoute.self) { _, _ in 1 }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    let error = await #expect(throws: RouteError.self) { try await mediator.open(url) }
    let text = try #require(error).description
    #expect(
      text.hasPrefix(
        "Parameter \"id\" of \(pattern) of module Homes, called by the app's own code, \(words)"),
      "\(text)")
    #expect(!text.contains("s3cret"))
  }

  @Test(
    "A route that is not exposed to a link says so in debug builds, to the app and to no page",
    arguments: ["estate://price?id=1", "estate://ledger"])
  func unexposed(url: String) async throws {
    let module = TestModule { table in
      table.action(PriceRoute.self) { _, _ in 1 }
      table.action(LedgerRoute.self) { _, _ in "" }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    let error = await #expect(throws: RouteError.self) {
      try await mediator.receive(url, from: .scheme("estate"))
    }
    // Equal to that of an unknown URL, by which an app decides.
    #expect(error == .notFound(url: url))
    #if DEBUG
    #expect(error?.description.contains("is not exposed to them") == true)
    #expect(error?.description.contains("for links of scheme estate") == true)
    #endif
    let unknown = await #expect(throws: RouteError.self) {
      try await mediator.receive("estate://nowhere", from: .scheme("estate"))
    }
    #expect(unknown?.description.contains("exposed") == false)
    let limited = await #expect(throws: RouteError.self) {
      try await mediator.open(url, from: .web(host: "a.example"), limitedTo: [PriceRoute.self])
    }
    #expect(limited?.description.contains("exposed") == false)
  }

  @Test("A URL without the last part of its path gets the pattern as a suggestion")
  func missingPart() async throws {
    let mediator = try Mediator(
      schemes: ["estate"], modules: [TestModule { $0.action(HouseRoute.self) { _, _ in } }])
    let error = await #expect(throws: RouteError.self) { try await mediator.open("estate://home") }
    #expect(
      error?.description
        == "No route matches estate://home: did you mean estate://home/{id:int}?tab={tab?}?")
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
