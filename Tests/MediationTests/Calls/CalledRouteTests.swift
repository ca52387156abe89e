import Mediation
import Synchronization
import Testing

/// What writes the URL of a route that is called by value, and how often.
@Suite(.timeLimit(.minutes(5))) struct CalledRouteTests {
  private final class Writes: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  private struct CountedRoute: Route {
    static let pattern: RoutePattern = "estate://counted/{id:int}"
    typealias Output = String
    let id: Int
    var writes = Writes()

    init(_ id: Int) { self.id = id }
    init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
    func write(to output: inout RouteOutput) {
      writes.add()
      output.set("id", to: id)
    }
  }

  private static func mediator(
    guards: [any RouteGuard] = [], observers: [any RouteObserver] = [],
    redirector: (any RouteRedirector)? = nil,
    _ body: @escaping @Sendable (RouteContext) async throws -> String = { _ in "-" }
  ) throws -> Mediator {
    let module = TestModule { table in
      table.action(CountedRoute.self) { _, context in try await body(context) }
      table.action(PriceRoute.self) { route, _ in route.id }
      table.action(HouseRoute.self) { _, context in _ = context.opener }
    }
    return try Mediator(
      schemes: ["estate"], modules: [module], guards: guards, observers: observers, redirector: redirector)
  }

  @Test("A call by value writes no URL if nothing asks for it, also if its code calls another route")
  func unwritten() async throws {
    let route = CountedRoute(7)
    let passes = TestGuard("passes") { _, _ in .proceed }
    let mediator = try Self.mediator(guards: [passes]) { context in
      "\(try await context.call(PriceRoute(id: 3)))"
    }
    #expect(try await mediator.call(route) == "3")
    #expect(route.writes.count == 0)
  }

  @Test("The URL of a call by value is written once for the route's code, its guards, observers and rules")
  func once() async throws {
    let journal = Journal()
    let redirector = StubRedirector([:])
    let reads = TestGuard("reads") { target, context in
      journal.note("guard \(target.url ?? "-") \(target.parameters) \(context.url?.text ?? "-")")
      return .proceed
    }
    let mediator = try Self.mediator(guards: [reads], observers: [journal], redirector: redirector) {
      context in
      try await context.call(HouseRoute(id: 1))
      return "\(context.url?.text ?? "-") \(context.url?.host ?? "-")"
    }
    let route = CountedRoute(7)
    #expect(try await mediator.call(route) == "estate://counted/7 counted")
    #expect(route.writes.count == 1)
    #expect(redirector.questions.first == "estate://counted/7 estate://counted/{id:int}")
    #expect(journal.lines.contains(#"guard estate://counted/7 ["id": "7"] estate://counted/7"#))
  }

  @Test("The code's own question, and the opener of a route that it calls, write the URL")
  func asked() async throws {
    let route = CountedRoute(7)
    let asks = try Self.mediator { context in context.url?.text ?? "-" }
    #expect(try await asks.call(route) == "estate://counted/7")
    #expect(route.writes.count == 1)
    let other = CountedRoute(8)
    let opens = try Self.mediator { context in
      try await context.call(HouseRoute(id: 1))
      return "-"
    }
    _ = try await opens.call(other)
    #expect(other.writes.count == 1)
  }
}
