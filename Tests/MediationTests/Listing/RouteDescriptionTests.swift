import Foundation
import Mediation
import Testing

@Suite struct RouteDescriptionTests {
  private struct TreeRoute: Route {
    typealias Output = [String]
    static let pattern: RoutePattern = "estate://tree/{kind:uuid}/{path...}?deep={deep:bool?}&q={query}"
    static let exposure: Exposure = .link([.web(host: "Pages.Example"), .push, .scheme("ESTATE")])
    static let purpose = "Lists the nodes under a path."
    init(from input: RouteInput) throws(RouteError) {}
    func write(to output: inout RouteOutput) {}
  }

  private static func mediator() throws -> Mediator {
    let proceed: @Sendable (RouteSummary, RouteContext) async throws -> GuardVerdict = { _, _ in .proceed }
    let trees = TestModule("Trees") { table in
      table.action(MapRoute.self, file: "Trees/T.swift", line: 2) { _, _ in "" }
      table.action(LoginRoute.self, file: "Trees/T.swift", line: 3) { _, _ in true }
      table.action(
        TreeRoute.self, guards: [TestGuard("late", proceed), TestGuard("early", priority: 1, proceed)],
        priority: 3, file: "Trees/T.swift", line: 1
      ) { _, _ in [] }
    }
    let ledger = TestModule("Ledger") { table in
      table.action(LedgerRoute.self) { _, _ in "" }
    }
    return try Mediator(schemes: ["estate"], modules: [trees, ledger], guards: [TestGuard("all", proceed)])
  }

  @Test("Routes are listed by module and pattern, native ones last")
  func order() throws {
    #expect(
      try Self.mediator().routes.map(\.description) == [
        "Ledger.LedgerRoute  estate://ledger  -> String  [moduleOnly]  guards: all",
        "Trees.LoginRoute  estate://login  -> Bool  [app]  guards: all",
        "Trees.TreeRoute  estate://tree/{kind:uuid}/{path...}?deep={deep:bool?}&q={query}  -> Array<String>  "
          + "[link push scheme:estate web:pages.example]  guards: all, early, late  priority: 3",
        "Trees.MapRoute  (native)  -> String  [native]  guards: all",
      ])
  }

  @Test("A description contains the parameters, the purpose and the place")
  func contents() throws {
    let tree = try #require(try Self.mediator().routes.first { $0.name == "TreeRoute" })
    #expect(tree.purpose == "Lists the nodes under a path.")
    #expect((tree.file, tree.line) == ("Trees/T.swift", 1))
    #expect(
      tree.parameters.map { "\($0.name) \($0.kind) \($0.key ?? "-") \($0.isOptional)" } == [
        "kind uuid - false", "path rest - false", "deep bool deep true", "query text q false",
      ])
  }

  @Test("A description reads back from its JSON")
  func coding() throws {
    for route in try Self.mediator().routes {
      let data = try JSONEncoder().encode(route)
      #expect(try JSONDecoder().decode(RouteDescription.self, from: data) == route)
    }
  }
}
