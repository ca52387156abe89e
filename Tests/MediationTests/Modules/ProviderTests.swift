import Mediation
import Testing

protocol Weather: Sendable {
  var degrees: Int { get }
}

protocol Clockwork: Sendable {
  func tick() -> Int
}

@Suite(.timeLimit(.minutes(5))) struct ProviderTests {
  private struct Station: Weather { let degrees: Int }

  private final class Wheel: Clockwork {
    private let counter = Counter()
    func tick() -> Int { counter.next() }
  }

  private struct ForecastRoute: ParameterlessRoute {
    typealias Output = Int
    static let pattern: RoutePattern = "estate://forecast"
  }

  private static func modules(_ made: Counter, lifetime: ProviderLifetime = .untilReleased)
    -> [any BusinessModule]
  {
    [
      NeedyModule("Forecast", needs: [.provider((any Weather).self)]) { table in
        table.action(ForecastRoute.self) { _, context in
          try await context.provider((any Weather).self).degrees
        }
      },
      NeedyModule("Weather", needs: [.provider((any Clockwork).self)]) { table in
        table.provide((any Weather).self, lifetime: lifetime) { context in
          made.next()
          return Station(degrees: try await context.provider((any Clockwork).self).tick())
        }
      },
      NeedyModule("Time") { table in table.provide((any Clockwork).self) { _ in Wheel() } },
    ]
  }

  @Test("F12: a provider is found by its protocol, without any class name")
  func byProtocol() async throws {
    let made = Counter()
    let mediator = try Mediator(schemes: ["estate"], modules: Self.modules(made))
    #expect(made.value == 0)
    #expect(try await mediator.call(ForecastRoute()) == 1)
    #expect(try await mediator.call(ForecastRoute()) == 1)
    #expect(made.value == 1)
    #expect(mediator.provides((any Weather).self) && !mediator.provides(Int.self))
  }

  @Test("A transient provider is created for each use, a shared one once")
  func lifetimes() async throws {
    let made = Counter()
    let fresh = try Mediator(schemes: ["estate"], modules: Self.modules(made, lifetime: .transient))
    #expect(try await fresh.provider((any Weather).self).degrees == 1)
    #expect(try await fresh.provider((any Weather).self).degrees == 2)

    let shared = Counter()
    let mediator = try Mediator(schemes: ["estate"], modules: Self.modules(shared))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<200 { group.addTask { try await mediator.provider((any Weather).self).degrees } }
      for try await degrees in group { #expect(degrees == 1) }
    }
    #expect(shared.value == 1)
  }

  @Test("An unmet need is a fault at startup, and an undeclared one an error with a remedy")
  func unmetNeeds() async throws {
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], modules: Array(Self.modules(Counter()).dropLast(2)))
    }
    #expect(
      issue.faults.map(\.description) == [
        "Module Forecast needs provider Weather, which is missing; list the module that provides it."
      ])
    let mediator = try Mediator(schemes: ["estate"], modules: [])
    let error = await #expect(throws: ModuleError.self) { try await mediator.provider((any Weather).self) }
    #expect(error?.description.hasPrefix("No module provides Weather: list the module that does") == true)
  }

  @Test("Two providers of one type are a fault with both places")
  func twoProviders() throws {
    let twin: @Sendable (inout RouteTable) -> Void = { table in
      table.provide((any Clockwork).self, file: "T.swift", line: 9) { _ in Wheel() }
    }
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], modules: [NeedyModule("A", twin), NeedyModule("B", twin)])
    }
    #expect(
      issue.faults.map(\.description) == [
        "Provider Clockwork in module A (T.swift:9) is declared again as Provider Clockwork in module B (T.swift:9); "
          + "remove one."
      ])
  }

  @Test("Providers that wait for each other end in an error, whatever their lifetimes")
  func cycle() async throws {
    for lifetime in [ProviderLifetime.untilReleased, .transient] {
      let modules = [
        NeedyModule("A") { table in
          table.provide((any Weather).self, lifetime: lifetime) { context in
            Station(degrees: try await context.provider((any Clockwork).self).tick())
          }
        },
        NeedyModule("B") { table in
          table.provide((any Clockwork).self) { context in
            _ = try await context.provider((any Weather).self)
            return Wheel()
          }
        },
      ]
      let mediator = try Mediator(schemes: ["estate"], modules: modules)
      let error = await #expect(throws: ModuleError.self) { try await mediator.provider((any Weather).self) }
      #expect(error?.description.contains("Cyclic load:") == true)
    }
  }

  @Test("Transient providers that request themselves end in an error")
  func cycleOfTransientOnes() async throws {
    let modules = [
      NeedyModule("A") { table in
        table.provide((any Weather).self, lifetime: .transient) { context in
          Station(degrees: try await context.provider((any Clockwork).self).tick())
        }
        table.provide(Int.self, lifetime: .transient) { context in try await context.call(ForecastRoute()) }
        table.action(ForecastRoute.self) { _, context in try await context.provider(Int.self) }
      },
      NeedyModule("B") { table in
        table.provide((any Clockwork).self, lifetime: .transient) { context in
          _ = try await context.provider((any Weather).self)
          return Wheel()
        }
      },
    ]
    let mediator = try Mediator(schemes: ["estate"], modules: modules)
    let error = await #expect(throws: ModuleError.self) { try await mediator.provider((any Weather).self) }
    #expect(
      error?.description.contains("A.Weather waits for B.Clockwork waits for A.Weather;") == true)
    let other = await failure { () throws(RouteError) in _ = try await mediator.call(ForecastRoute()) }
    #expect("\(try #require(other))".contains("Cyclic load: A.Int waits for A.Int;"))
  }
}
