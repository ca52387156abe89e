import Mediation
import Testing

@Suite struct RouteTableTests {
  private struct A: ParameterlessRoute { static let pattern: RoutePattern = "estate://a" }
  private struct B: ParameterlessRoute { static let pattern: RoutePattern = "estate://b" }

  /// A route with any pattern; `Tag` makes its type unique.
  private struct Tagged<Tag>: Route {
    static var pattern: RoutePattern { (Tag.self as? any Patterned.Type)?.pattern ?? "none" }
    init(from input: RouteInput) throws(RouteError) {}
    func write(to output: inout RouteOutput) {}
  }

  private protocol Patterned { static var pattern: RoutePattern { get } }
  private enum ByID: Patterned { static let pattern: RoutePattern = "estate://home/{id:int}" }
  private enum ByNumber: Patterned { static let pattern: RoutePattern = "ESTATE://HOME/{number:int}" }
  private enum New: Patterned { static let pattern: RoutePattern = "estate://home/{name}/new" }
  private enum Old: Patterned { static let pattern: RoutePattern = "estate://home/old/{page}" }
  private enum Faulty: Patterned { static let pattern: RoutePattern = "estate://home/{id" }
  private enum Foreign: Patterned { static let pattern: RoutePattern = "other://home" }
  private enum ForeignWeb: Patterned { static let pattern: RoutePattern = "https://evil.example/" }
  private enum Text: Patterned { static let pattern: RoutePattern = "estate://home/{name}" }

  private static func faults(_ modules: [any BusinessModule], guards: [any RouteGuard] = [])
    -> [RouteTableIssue.Fault]
  {
    do {
      _ = try Mediator(schemes: ["estate"], modules: modules, guards: guards)
      return []
    } catch {
      return error.faults
    }
  }

  @Test("All faults are reported at once, with both places and a sample URL")
  func allFaults() throws {
    let one = TestModule("One") { table in
      table.action(Tagged<ByID>.self, file: "One/One.swift", line: 1) { _, _ in }
      table.action(Tagged<New>.self, file: "One/One.swift", line: 2) { _, _ in }
      table.action(Tagged<Faulty>.self, file: "One/One.swift", line: 3) { _, _ in }
    }
    let two = TestModule("Two") { table in
      table.action(Tagged<ByNumber>.self, file: "Two/Two.swift", line: 4) { _, _ in }
      table.action(Tagged<Old>.self, file: "Two/Two.swift", line: 5) { _, _ in }
      table.action(Tagged<Foreign>.self, file: "Two/Two.swift", line: 6) { _, _ in }
      table.action(Tagged<ForeignWeb>.self, file: "Two/Two.swift", line: 7) { _, _ in }
      table.action(Tagged<New>.self, file: "Two/Two.swift", line: 8) { _, _ in }
    }
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], modules: [one, two])
    }
    #expect(
      issue.description == """
        The route table has 6 faults:
        - Tagged<Faulty> in module One (One/One.swift:3): Pattern "estate://home/{id", byte 14: a placeholder is not closed; write "}" after its name.
        - Tagged<Foreign> "other://home" in module Two (Two/Two.swift:6): other://home is not the app's; add the scheme to the mediator's schemes.
        - Tagged<ForeignWeb> "https://evil.example/" in module Two (Two/Two.swift:7): https://evil.example is not the app's; add the host to the mediator's hosts.
        - Tagged<ByID> "estate://home/{id:int}" in module One (One/One.swift:1) and Tagged<ByNumber> "ESTATE://HOME/{number:int}" in module Two (Two/Two.swift:4) match the same URLs, such as estate://home/1; remove one or change its path.
        - Tagged<New> "estate://home/{name}/new" in module One (One/One.swift:2) and Tagged<Old> "estate://home/old/{page}" in module Two (Two/Two.swift:5) both match estate://home/old/new and neither is more specific; give one a higher `priority:` or change a path.
        - Tagged<New> "estate://home/{name}/new" in module One (One/One.swift:2) is declared again as Tagged<New> "estate://home/{name}/new" in module Two (Two/Two.swift:8); remove one.
        """)
  }

  @Test("A declaration without an explicit place reports its caller's line")
  func callerLine() throws {
    let line = #line + 1
    let module = TestModule("M") { $0.action(Tagged<Foreign>.self) { _, _ in } }
    guard case .foreign(let place, _, _)? = Self.faults([module]).first else {
      Issue.record("no fault")
      return
    }
    #expect(place.file.hasSuffix("RouteTableTests.swift") && place.line == line)
  }

  @Test("A priority decides an overlap", arguments: [(1, 0), (0, 1), (2, 7)])
  func priority(new: Int, old: Int) throws {
    let module = TestModule { table in
      table.action(Tagged<New>.self, priority: new) { _, _ in }
      table.action(Tagged<Old>.self, priority: old) { _, _ in }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    let winner = new > old ? "Tagged<New>" : "Tagged<Old>"
    #expect(try mediator.resolve("estate://home/old/new").name == winner)
    #expect(try mediator.resolve("estate://home/x/new").name == "Tagged<New>")
    #expect(try mediator.resolve("estate://home/old/x").name == "Tagged<Old>")
  }

  @Test("A route hidden by a wider one with a higher priority is a fault")
  func hiddenRoute() {
    let module = TestModule { table in
      table.action(Tagged<ByID>.self) { _, _ in }
      table.action(Tagged<Text>.self, priority: 1) { _, _ in }
    }
    guard case .unreachable(let hidden, let by, "estate://home/1")? = Self.faults([module]).first else {
      Issue.record("no fault")
      return
    }
    #expect((hidden.name, by.name) == ("Tagged<ByID>", "Tagged<Text>"))
  }

  @Test("Modules with the same name, guards with the same id and unmet needs are faults")
  func duplicates() {
    enum Key: RouteEnvironmentKey {
      typealias Value = Int?
      static let remedy = "put it there"
    }
    let proceed: @Sendable (RouteSummary, RouteContext) async throws -> GuardVerdict = { _, _ in .proceed }
    let module = TestModule("M") { table in
      table.route(A.self, needs: [Key.self], file: "M.swift", line: 1) { _, _ in .shown }
    }
    let other = TestModule("M") { table in table.action(B.self) { _, _ in } }
    let faults = Self.faults([module, other], guards: [TestGuard("g", proceed), TestGuard("g", proceed)])
    #expect(
      faults.map(\.description) == [
        "Two modules are named \"M\"; rename one, or list it once.",
        "A \"estate://a\" in module M (M.swift:1) needs Key, which the environment does not hold; put it there.",
        "Two different guards have the id \"g\"; give each its own id.",
      ])
  }

  @Test(
    "An invalid scheme or host is a fault",
    arguments: [
      ("estate://", "h.example"), ("", "h.example"), ("es tate", "h.example"), ("estate", "h.example/x"),
      ("estate", "h.example:443"), ("estate", "u@h.example"), ("estate", ""), ("estate", "h.example."),
    ])
  func addresses(_ scheme: String, _ host: String) throws {
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(schemes: [scheme], hosts: [host], modules: [])
    }
    #expect(issue.faults == [.address(scheme == "estate" ? host : scheme)])
    #expect(throws: Never.self) { try Mediator(schemes: ["Estate+x"], hosts: ["H.Example"], modules: []) }
  }

  @Test("Two fallbacks with one prefix, and a prefix with a placeholder, are faults")
  func faultyFallbacks() {
    let module = TestModule { table in
      table.fallback(under: "estate://home") { _, _ in }
      table.fallback(under: "estate://Home/") { _, _ in }
      table.fallback(under: "estate://home/{id}") { _, _ in }
    }
    let faults = Self.faults([module])
    #expect(faults.count == 2)
    #expect(faults.contains { if case .duplicate = $0 { true } else { false } })
    #expect(faults.contains { if case .pattern = $0 { true } else { false } })
  }
}
