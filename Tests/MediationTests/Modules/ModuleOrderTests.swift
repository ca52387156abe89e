import Mediation
import Testing

@Suite struct ModuleOrderTests {
  private struct ARoute: ParameterlessRoute { static let pattern: RoutePattern = "estate://a" }
  private struct BRoute: ParameterlessRoute { static let pattern: RoutePattern = "estate://b" }
  private struct CRoute: NativeRoute {}

  private static func names(_ modules: [any BusinessModule]) throws -> [String] {
    try Mediator(schemes: ["estate"], modules: modules).modules.map(\.name)
  }

  private static func faults(_ modules: [any BusinessModule]) -> [String] {
    do {
      _ = try Mediator(schemes: ["estate"], modules: modules)
      return []
    } catch {
      return error.faults.map(\.description)
    }
  }

  private static func a(_ needs: [ModuleNeed] = []) -> NeedyModule {
    NeedyModule("A", needs: needs) { $0.action(ARoute.self) { _, _ in } }
  }
  private static func b(_ needs: [ModuleNeed] = []) -> NeedyModule {
    NeedyModule("B", needs: needs) { $0.action(BRoute.self) { _, _ in } }
  }
  private static func c(_ needs: [ModuleNeed] = []) -> NeedyModule {
    NeedyModule("C", needs: needs) { $0.action(CRoute.self) { _, _ in } }
  }

  @Test("Modules are ordered by their needs, and otherwise as listed")
  func order() throws {
    #expect(try Self.names([Self.c(), Self.b(), Self.a()]) == ["C", "B", "A"])
    #expect(
      try Self.names([Self.a([.route(BRoute.self)]), Self.b([.route(CRoute.self)]), Self.c()])
        == ["C", "B", "A"])
    #expect(try Self.names([Self.a([.route(CRoute.self)]), Self.b(), Self.c()]) == ["B", "C", "A"])
    #expect(try Self.names([Self.a([.route(ARoute.self)]), Self.b()]) == ["A", "B"])
  }

  @Test("Every cycle and every unmet need is reported at once, with names and remedy")
  func allFaults() {
    struct Missing: NativeRoute {}
    enum Key: RouteEnvironmentKey {
      typealias Value = Int?
      static let remedy = "lend a number"
    }
    let d = NeedyModule(
      "D", needs: [.provider((any Weather).self), .route(Missing.self), .environment(Key.self)])
    let e = NeedyModule("E", needs: [.provider((any Clockwork).self)]) { table in
      table.provide((any Error).self) { _ in CancellationError() }
    }
    let f = NeedyModule("F", needs: [.provider((any Error).self)]) { table in
      table.provide((any Clockwork).self) { _ in throw CancellationError() }
    }
    #expect(
      Self.faults([Self.a([.route(BRoute.self)]), Self.b([.route(ARoute.self)]), Self.c(), d, e, f]) == [
        "Module D needs provider Weather, which is missing; list the module that provides it.",
        "Module D needs route Missing, which is missing; list the module that declares it.",
        "Module D needs environment Key, which is missing; lend a number.",
        "The needs of modules form a cycle: A needs route BRoute of B, B needs route ARoute of A; make one need `.unordered`, "
          + "or move what is needed to a separate module.",
        "The needs of modules form a cycle: E needs provider Clockwork of F, F needs provider Error of E; make one "
          + "need `.unordered`, or move what is needed to a separate module.",
      ])
  }

  @Test("An unordered need does not form a cycle")
  func unordered() throws {
    #expect(
      try Self.names([Self.a([.route(BRoute.self)]), Self.b([.route(ARoute.self).unordered])]) == ["B", "A"])
    #expect(Self.faults([Self.a([.route(BRoute.self).unordered])]).count == 1)
  }

  @Test("A long cycle is reported without the modules that only lead to it")
  func longCycle() {
    let a = Self.a([.route(BRoute.self)])
    let b = Self.b([.route(CRoute.self)])
    let c = NeedyModule("C", needs: [.provider(Int.self)]) { $0.action(CRoute.self) { _, _ in } }
    let d = NeedyModule("D", needs: [.route(BRoute.self)]) { $0.provide(Int.self) { _ in 1 } }
    #expect(
      Self.faults([a, b, c, d]) == [
        "The needs of modules form a cycle: B needs route CRoute of C, C needs provider Int of D, D needs route BRoute of B; "
          + "make one need `.unordered`, or move what is needed to a separate module."
      ])
  }

  @Test("A module's description lists its needs, providers and events")
  func description() throws {
    let giver = NeedyModule("Giver") { table in
      table.provide(Int.self) { _ in 1 }
      table.lazy(CRoute.self) { _ in { _, _ in } }
      table.on(.launch) { _, _ in }
      table.on(.background) { _, _ in }
      table.on(.launch) { _, _ in }
    }
    let taker = NeedyModule("Taker", needs: [.provider(Int.self)])
    let modules = try Mediator(schemes: ["estate"], modules: [taker, giver]).modules
    #expect(modules.map(\.name) == ["Giver", "Taker"])
    #expect(modules[0].providers == ["Int"])
    #expect(modules[0].events == ["background", "launch"])
    #expect(modules[1].needs.map { "\($0.name) of \($0.module ?? "-")" } == ["provider Int of Giver"])
  }

  @Test("The time that each module takes to declare is measured")
  func declaringTimes() throws {
    let clock = HandClock()
    let slow = NeedyModule("Slow") { _ in clock.advance(by: .seconds(3)) }
    let quick = NeedyModule("Quick") { _ in clock.advance(by: .seconds(1)) }
    let mediator = try Mediator(schemes: ["estate"], modules: [slow, quick], clock: clock)
    #expect(mediator.declaringTimes.map(\.module) == ["Slow", "Quick"])
    #expect(mediator.declaringTimes.map(\.time) == [.seconds(3), .seconds(1)])
  }
}
