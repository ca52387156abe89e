import Mediation
import Testing

@Suite struct RouteAliasTests {
  /// A route with several URLs.
  struct ArticleRoute: Route, Equatable {
    static let pattern: RoutePattern = "estate://article/{id:int}/{page:int?}"
    static let aliases: [RoutePattern] = [
      "https://estate.example/articles/{id:int}", "estate://old/article?number={id:int}&p={page:int?}",
    ]
    static let exposure: Exposure = .link([.scheme("estate"), .universal(host: "estate.example")])
    let id: Int
    var page: Int?

    init(id: Int, page: Int? = nil) {
      self.id = id
      self.page = page
    }

    init(from input: RouteInput) throws(RouteError) {
      id = try input.value("id")
      page = input.pattern.parameterNames.contains("page") ? try input.optional("page") : nil
    }

    func write(to output: inout RouteOutput) {
      output.set("id", to: id)
      output.set("page", to: page)
    }
  }

  private struct Misfit: Route {
    static let pattern: RoutePattern = "estate://misfit/{id:int}"
    static let aliases: [RoutePattern] = ["estate://misfits", "estate://other/{id", "evil://x/{id}"]
    init(from input: RouteInput) throws(RouteError) {}
    func write(to output: inout RouteOutput) {}
  }

  private struct Rival: ParameterlessRoute {
    static let pattern: RoutePattern = "estate://rival"
    static let aliases: [RoutePattern] = ["https://estate.example/articles/{number:int}"]
    init() {}
  }

  @Test(
    "F13: several URLs open one route (M13)",
    arguments: [
      ("estate://article/7", 7, nil), ("estate://article/7/2", 7, 2),
      ("https://estate.example/articles/7", 7, nil),
      ("estate://old/article?number=7", 7, nil), ("estate://old/article?p=3&number=7", 7, 3),
    ] as [(String, Int, Int?)])
  func aliases(_ url: String, _ id: Int, _ page: Int?) async throws {
    let journal = Journal()
    let module = TestModule { table in
      table.action(ArticleRoute.self) { route, _ in journal.note("article \(route.id) \(route.page ?? 0)") }
    }
    let mediator = try Mediator(schemes: ["estate"], hosts: ["estate.example"], modules: [module])
    try await mediator.open(url)
    #expect(journal.lines == ["article \(id) \(page ?? 0)"])
    let source: LinkSource = url.hasPrefix("https") ? .universal(host: "estate.example") : .scheme("estate")
    try await mediator.receive(url, from: source)
    #expect(journal.lines.count == 2)
    #expect(try mediator.resolve(url).name == "ArticleRoute")
    // The URL is always written with the route's own pattern.
    #expect(
      try mediator.url(for: ArticleRoute(id: id, page: page)) == "estate://article/7"
        + (page.map { "/\($0)" } ?? ""))
  }

  @Test("M13: an alias is checked like any pattern and must supply the required parameters")
  func faults() throws {
    let module = TestModule { table in
      table.action(ArticleRoute.self, file: "A.swift", line: 1) { _, _ in }
      table.action(Misfit.self, file: "A.swift", line: 2) { _, _ in }
      table.action(Rival.self, file: "A.swift", line: 3) { _, _ in }
    }
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], hosts: ["estate.example"], modules: [module])
    }
    let lines = issue.faults.map(\.description)
    #expect(lines.count == 4)
    #expect(
      lines.contains { $0.contains("A.swift:2") && $0.contains("the alias does not always supply \"id\"") })
    #expect(lines.contains { $0.contains("A.swift:2") && $0.contains("a placeholder is not closed") })
    #expect(lines.contains { $0.contains("evil://x is not the app's") })
    #expect(
      lines.contains(
        "ArticleRoute \"https://estate.example/articles/{id:int}?page={page:int?}\" in module Homes (A.swift:1) and Rival "
          + "\"https://estate.example/articles/{number:int}\" in module Homes (A.swift:3) match the same URLs, such as "
          + "https://estate.example/articles/1; remove one or change its path."))
  }

  @Test("M6, M21: an optional segment is written if it has a value, and reads back")
  func roundTrip() throws {
    let module = TestModule { $0.action(ArticleRoute.self) { _, _ in } }
    let mediator = try Mediator(schemes: ["estate"], hosts: ["estate.example"], modules: [module])
    for route in [ArticleRoute(id: -1), ArticleRoute(id: 2, page: 3)] {
      let url = try mediator.url(for: route)
      let summary = try mediator.resolve(url)
      #expect(summary.parameters["page"] == route.page.map(String.init))
      #expect(summary.parameters["id"] == String(route.id))
    }
    #expect(throws: RouteError.self) { try mediator.resolve("estate://article/1/x") }
  }
}
