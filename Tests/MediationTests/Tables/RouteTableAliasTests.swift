import Mediation
import Testing

@Suite(.timeLimit(.minutes(5))) struct RouteTableAliasTests {
  private struct ListRoute: Route, Equatable {
    typealias Output = String
    static let pattern: RoutePattern = "estate://list/{kind}?page={page:int?}&sort={sort?}"
    static let aliases: [RoutePattern] = [
      "estate://questions?kind={kind}&p={page:int?}", "estate://old/list/{kind}",
    ]
    static let exposure: Exposure = .link([.push])
    let kind: String
    var page: Int?
    var sort: String?

    init(kind: String, page: Int? = nil, sort: String? = nil) {
      self.kind = kind
      self.page = page
      self.sort = sort
    }
    init(from input: RouteInput) throws(RouteError) {
      kind = try input.value("kind")
      page = try input.optional("page")
      sort = try input.optional("sort")
    }
    func write(to output: inout RouteOutput) {
      output.set("kind", to: kind)
      output.set("page", to: page)
      output.set("sort", to: sort)
    }
  }

  private static func module(_ more: @escaping @Sendable (inout RouteTable) -> Void = { _ in }) -> TestModule
  {
    TestModule("Lists") { table in
      table.alias("estate://newest", for: ListRoute.self) { _ in ListRoute(kind: "all", sort: "newest") }
      table.action(ListRoute.self) { route, _ in "\(route.kind) \(route.page ?? 0) \(route.sort ?? "-")" }
      more(&table)
    }
  }

  @Test(
    "F13: several URLs open one route",
    arguments: [
      ("estate://list/new", "new 0 -"), ("estate://list/new?page=2&sort=up", "new 2 up"),
      ("estate://questions?kind=hot&p=3&sort=up", "hot 3 up"), ("estate://old/list/hot?page=4", "hot 4 -"),
      ("estate://newest", "all 0 newest"),
    ])
  func several(_ url: String, _ expected: String) async throws {
    let journal = Journal()
    let mediator = try Mediator(schemes: ["estate"], modules: [Self.module()], observers: [journal])
    #expect(try await mediator.open(url, returning: String.self) == expected)
    try await mediator.receive(url, from: .push)
    #expect(
      await errorName { () throws(RouteError) in try await mediator.receive(url, from: .shortcut) }
        == "notFound")
  }

  @Test("F13: a route's URL is written with its own pattern, and the route is listed once")
  func canonical() throws {
    let mediator = try Mediator(schemes: ["estate"], modules: [Self.module()])
    let route = ListRoute(kind: "new", page: 2)
    #expect(try mediator.url(for: route) == "estate://list/new?page=2")
    #expect(mediator.routes.map(\.name) == ["ListRoute"])
    #expect(
      mediator.routes[0].aliases == [
        "estate://newest", "estate://old/list/{kind}?page={page:int?}&sort={sort:text?}",
        "estate://questions?kind={kind}&p={page:int?}&sort={sort:text?}",
      ])
  }

  @Test("F13: an alias that another route matches is a fault with both places")
  func conflict() throws {
    let rival = TestModule("Rival") { table in
      table.action(RivalRoute.self, file: "R.swift", line: 2) { _, _ in }
    }
    let lists = Self.module { table in
      table.alias("estate://rival", for: ListRoute.self, file: "L.swift", line: 1) { _ in ListRoute(kind: "r")
      }
    }
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], modules: [lists, rival])
    }
    #expect(
      issue.faults.map(\.description) == [
        "ListRoute \"estate://rival\" in module Lists (L.swift:1) and RivalRoute \"estate://rival\" in module Rival (R.swift:2) "
          + "match the same URLs, such as estate://rival; remove one or change its path."
      ])
  }

  private struct RivalRoute: ParameterlessRoute { static let pattern: RoutePattern = "estate://rival" }

  @Test("An alias without a required placeholder, or of another module's route, is a fault")
  func faultyAliases() throws {
    let lists = Self.module { table in
      table.alias("estate://short", for: ListRoute.self, file: "L.swift", line: 1)
      table.alias("estate://stray", for: RivalRoute.self, file: "L.swift", line: 2)
    }
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], modules: [lists])
    }
    #expect(
      issue.faults.map(\.description) == [
        "ListRoute in module Lists (L.swift:1): Pattern \"estate://short?page={page:int?}&sort={sort:text?}\", byte 0: the alias does "
          + "not always supply \"kind\"; give it the placeholders of \"estate://list/{kind}?page={page:int?}&sort={sort?}\".",
        "RivalRoute \"estate://stray\" in module Lists (L.swift:2) is an alias of a route that the module does not declare; declare "
          + "the route there, or declare the alias in the route's module.",
      ])
  }

  private struct SearchRoute: Route {
    typealias Output = [String]
    static let pattern: RoutePattern = "estate://search/{city}?max={max:int?}"
    let city: String
    let seen: [String]
    init(from input: RouteInput) throws(RouteError) {
      city = try input.value("city")
      seen =
        input.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        + input.query.map { "\($0.name):\($0.value)" }
    }
    func write(to output: inout RouteOutput) { output.set("city", to: city) }
  }

  @Test("F14: a route gets its URL, its parameters as strings and the whole query")
  func inputs() async throws {
    let module = TestModule("Search") { table in
      table.action(SearchRoute.self) { route, context in route.seen + [context.url?.text ?? "-"] }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    let url = "estate://search/S%C3%A3o%20Paulo?max=3&x=a%26b&x=&max=4"
    #expect(
      try await mediator.open(url, returning: [String].self) == [
        "city=São Paulo", "max=3", "max:3", "x:a&b", "x:", "max:4", url,
      ])
  }
}
