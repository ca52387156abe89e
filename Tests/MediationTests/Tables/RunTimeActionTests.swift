import Mediation
import Testing

@Suite(.timeLimit(.minutes(5))) struct RunTimeActionTests {
  private static func module(_ names: [String]) -> TestModule {
    TestModule("Pages") { table in
      for name in names {
        let pattern = RoutePattern(stringLiteral: "estate://\(name)/{page:int}?tag={tag?}")
        table.action(at: pattern, named: "\(name) page") { input, _ in
          "\(name) \(try input.value("page", as: Int.self)) \(try input.all("tag", as: String.self))"
        }
      }
    }
  }

  @Test("An action is declared for a pattern that is made at run time, and read by its parameters")
  func opened() async throws {
    let mediator = try Mediator(schemes: ["estate"], modules: [Self.module(["news", "jobs"])])
    #expect(
      try await mediator.open("estate://jobs/2?tag=a&tag=b", returning: String.self) == #"jobs 2 ["a", "b"]"#)
    let found = try #require(mediator.lookUp("estate://news/1"))
    #expect(found.route.name == "news page")
    #expect(found.route.output == "String")
    // Reachable from within the app, and from outside only if the declaration says so.
    #expect(!mediator.canOpen("estate://news/1", origin: .external(.push)))
  }

  @Test("M9: the order of the modules does not decide which route opens, nor whether a push reaches it")
  func moduleOrder() async throws {
    let byName = TestModule("Names") { table in
      table.action(at: "estate://page/{name?}", named: "ByName", exposure: .link([.push])) { _, _ in "name" }
    }
    let byNumber = TestModule("Numbers") { table in
      table.action(at: "estate://page/{id:int?}", named: "ByNumber") { _, _ in "number" }
    }
    for modules in [[byName, byNumber], [byNumber, byName]] {
      let mediator = try Mediator(schemes: ["estate"], modules: modules)
      #expect(try await mediator.open("estate://page", returning: String.self) == "number")
      #expect(!mediator.canOpen("estate://page", origin: .external(.push)))
      #expect(mediator.canOpen("estate://page/a", origin: .external(.push)))
    }
  }

  @Test("A fault names the file and the line of the declaration")
  func faultPlace() throws {
    let line = #line + 2
    let module = TestModule { table in
      table.action(at: "estate://news/{id", named: "News") { _, _ in }
    }
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], modules: [module])
    }
    guard case .pattern(_, let place)? = issue.faults.first else {
      Issue.record("\(issue)")
      return
    }
    #expect(place.name == "News" && place.file.hasSuffix("RunTimeActionTests.swift") && place.line == line)
  }

  @Test("Guards and fallbacks read all values of a repeated field, and all segments of a tail")
  func allValues() async throws {
    let journal = Journal()
    let module = TestModule { table in
      table.action(
        at: "estate://files/{path...}?tag={tag?}", named: "Files",
        guards: [
          TestGuard("log") { target, _ in
            journal.note("\(target.values(of: "tag")) \(target.values(of: "path")) \(target.values(of: "x"))")
            return .proceed
          }
        ]
      ) { _, _ in }
    }
    let mediator = try Mediator(
      schemes: ["estate"], modules: [module],
      notFound: RouteFallback { unrouted, _ in journal.note("\(unrouted.url?.values(named: "k") ?? [])") })
    try await mediator.open("estate://files/a/b?tag=1&x=9&tag=2")
    try await mediator.open("estate://nowhere?k=1&j=2&k=3")
    #expect(journal.lines == [#"["1", "2"] ["a", "b"] []"#, #"["1", "3"]"#])
  }
}
