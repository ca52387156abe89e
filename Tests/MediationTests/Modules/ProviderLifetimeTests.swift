import Mediation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProviderLifetimeTests {
  struct Broken: Error {}

  /// A provider whose number identifies the instance.
  struct Store { let number: Int }

  private struct NumberRoute: ParameterlessRoute {
    typealias Output = Int
    static let pattern: RoutePattern = "estate://store/number"
  }
  private struct SumRoute: NativeRoute {
    typealias Output = Int
    let term: Int
  }

  private static func mediator(
    _ lifetime: ProviderLifetime = .untilReleased, observers: [any RouteObserver] = [],
    _ make: @escaping @Sendable (RouteContext) async throws -> Store
  ) throws -> Mediator {
    let module = TestModule("Stores") { table in
      table.provide(Store.self, lifetime: lifetime, make)
      table.action(NumberRoute.self) { _, context in try await context.provider(Store.self).number }
      table.action(SumRoute.self) { route, context in
        try await context.provider(Store.self).number + route.term
      }
    }
    return try Mediator(schemes: ["estate"], modules: [module], observers: observers)
  }

  @Test("F8: a provider is created on first use, kept, released by name and created again")
  func keptAndReleased() async throws {
    let counter = Counter()
    let journal = ModuleJournal()
    let mediator = try Self.mediator(observers: [journal]) { _ in Store(number: counter.next()) }
    #expect(try mediator.resolve("estate://store/number").name == "NumberRoute")
    #expect(counter.value == 0 && mediator.loadedObjects.isEmpty)
    #expect(try await mediator.open("estate://store/number", returning: Int.self) == 1)
    #expect(try await mediator.call(SumRoute(term: 10)) == 11)
    #expect(mediator.loadedObjects == ["Stores.Store"])
    #expect(try mediator.releaseObject("Stores.Store"))
    #expect(try !mediator.releaseObject("Stores.Store"))
    #expect(mediator.loadedObjects.isEmpty)
    #expect(try await mediator.call(SumRoute(term: 10)) == 12)
    #expect(journal.lines.filter { $0 == "released Stores.Store" }.count == 1)
    #expect(journal.lines.filter { $0.hasPrefix("loaded Stores.Store of Stores") }.count == 2)
  }

  @Test("F8: a transient provider is created for each use")
  func transient() async throws {
    let counter = Counter()
    let mediator = try Self.mediator(.transient) { _ in Store(number: counter.next()) }
    #expect(try await mediator.call(NumberRoute()) == 1)
    #expect(try await mediator.call(NumberRoute()) == 2)
    #expect(mediator.loadedObjects.isEmpty)
    #expect(try !mediator.releaseObject("Stores.Store"))
  }

  @Test("F8: all providers are released at once, and an unknown name is an error that lists the known ones")
  func all() async throws {
    let module = TestModule("Stores") { table in
      table.provide(Int.self) { _ in 1 }
      table.provide(Double.self) { _ in 2 }
      table.action(NumberRoute.self) { _, context in try await context.provider(Int.self) }
      table.lazy(SumRoute.self) { _ in { route, _ in route.term } }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    try await mediator.call(NumberRoute())
    try await mediator.call(SumRoute(term: 1))
    #expect(mediator.loadedObjects == ["Stores.Int", "Stores.SumRoute"])
    #expect(mediator.releaseAllObjects() == ["Stores.Int", "Stores.SumRoute"])
    #expect(mediator.loadedObjects.isEmpty && mediator.releaseAllObjects().isEmpty)
    let error = #expect(throws: ModuleError.self) { try mediator.releaseObject("Store") }
    #expect(
      error?.description
        == "No module declares a provider or lazy route \"Store\"; the names are Stores.Double, Stores.Int, "
        + "Stores.SumRoute."
    )
    #expect(error?.underlying == nil)
  }

  @Test("F8: concurrent calls share one creation")
  func singleFlight() async throws {
    let counter = Counter()
    let gate = Gate()
    let mediator = try Self.mediator { _ in
      await gate.wait()
      return Store(number: counter.next())
    }
    let answers = try await withThrowingTaskGroup(of: Int.self) { group in
      for term in 0..<200 {
        group.addTask { try await mediator.call(SumRoute(term: term)) - term }
        if term == 100 { gate.open() }
      }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(answers == [1] && counter.value == 1)
  }

  @Test("F8: under concurrent calls and releases every call gets a complete provider, each created once")
  func threads() async throws {
    let counter = Counter()
    let journal = ModuleJournal()
    let mediator = try Self.mediator(observers: [journal]) { _ in Store(number: counter.next()) }
    let numbers = try await withThrowingTaskGroup(of: Int?.self) { group in
      for index in 0..<600 {
        group.addTask {
          if index % 3 == 0 {
            if index % 2 == 0 {
              mediator.releaseAllObjects()
            } else {
              try mediator.releaseObject("Stores.Store")
            }
            return nil
          }
          return try await mediator.call(NumberRoute())
        }
      }
      return try await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
    }
    #expect(numbers.count == 400)
    #expect(numbers.allSatisfy { $0 >= 1 && $0 <= counter.value })
    #expect(journal.lines.filter { $0.hasPrefix("loaded") }.count == counter.value)
    #expect(counter.value <= journal.lines.filter { $0.hasPrefix("released") }.count + 1)
  }

  @Test("A provider released while it is created is passed to the waiting call and not kept")
  func releasedWhileCreated() async throws {
    let counter = Counter()
    let begun = Gate()
    let gate = Gate()
    let mediator = try Self.mediator { _ in
      let number = counter.next()
      if number == 1 {
        begun.open()
        await gate.wait()
      }
      return Store(number: number)
    }
    async let first = mediator.call(NumberRoute())
    await begun.wait()
    #expect(try mediator.releaseObject("Stores.Store"))
    #expect(try await mediator.call(NumberRoute()) == 2)
    gate.open()
    #expect(try await first == 1)
    #expect(try await mediator.call(NumberRoute()) == 2)
  }

  @Test("A failed creation is .failed with the module's name, and the next call tries again")
  func failedCreation() async throws {
    let counter = Counter()
    let journal = ModuleJournal()
    let mediator = try Self.mediator(observers: [journal]) { _ in
      if counter.next() == 1 { throw Broken() }
      return Store(number: 7)
    }
    let error = await failure { () throws(RouteError) in _ = try await mediator.call(NumberRoute()) }
    guard case .loadFailed("Stores.Store", module: "Stores", let underlying)? = (error as? ModuleError)?.kind
    else {
      Issue.record("got \(String(describing: error))")
      return
    }
    #expect(underlying is Broken && (error as? ModuleError)?.underlying is Broken)
    #expect(
      "\(ModuleError(.loadFailed("S.T", module: "S", Broken())))"
        == "S.T of module S could not be created: Broken()")
    #expect(try await mediator.call(NumberRoute()) == 7)
    #expect(journal.lines.count == 2 && journal.lines[0].hasPrefix("failed Stores.Store of Stores Broken()"))
  }

  @Test("A cancelled caller leaves the others waiting, and the last one cancels the creation")
  func cancelledCaller() async throws {
    let begun = Gate()
    let gate = Gate()
    let stopped = Gate()
    let counter = Counter()
    let mediator = try Self.mediator { _ in
      let number = counter.next()
      if number == 1 {
        begun.open()
        await withTaskCancellationHandler {
          await gate.wait()
        } onCancel: {
          gate.open()
        }
        #expect(Task.isCancelled)
        stopped.open()
      }
      return Store(number: number)
    }
    let caller = Task {
      await errorName { () throws(RouteError) in _ = try await mediator.call(NumberRoute()) }
    }
    await begun.wait()
    caller.cancel()
    #expect(await caller.value == "cancelled")
    await stopped.wait()
    #expect(try await mediator.call(NumberRoute()) == 2)
  }

  private struct One { let number: Int }
  private struct Two { let number: Int }

  private struct OtherRoute: ParameterlessRoute {
    typealias Output = Int
    static let pattern: RoutePattern = "estate://store/other"
  }

  @Test("Providers that wait for each other end in an error with the names on the cycle")
  func cycle() async throws {
    let first = Gate()
    let second = Gate()
    let module = TestModule("Stores") { table in
      table.provide(One.self) { context in
        first.open()
        await second.wait()
        return One(number: try await context.call(OtherRoute()))
      }
      table.provide(Two.self) { context in
        second.open()
        await first.wait()
        return Two(number: try await context.call(NumberRoute()))
      }
      table.action(NumberRoute.self) { _, context in try await context.provider(One.self).number }
      table.action(OtherRoute.self) { _, context in try await context.provider(Two.self).number }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    async let one = failure { () throws(RouteError) in _ = try await mediator.call(NumberRoute()) }
    async let two = failure { () throws(RouteError) in _ = try await mediator.call(OtherRoute()) }
    let texts = await [one, two].map { $0.map { "\($0)" } ?? "none" }
    #expect(texts.allSatisfy { $0.contains("Cyclic load:") })
    #expect(
      texts.contains { $0.contains("Stores.One waits for Stores.Two waits for Stores.One") }
        || texts.contains { $0.contains("Stores.Two waits for Stores.One waits for Stores.Two") })
  }

  @Test("A provider that requests itself ends in an error instead of a deadlock")
  func selfReference() async throws {
    let module = TestModule("Stores") { table in
      table.provide(Store.self) { context in Store(number: try await context.call(NumberRoute())) }
      table.action(NumberRoute.self) { _, context in try await context.provider(Store.self).number }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    let error = await failure { () throws(RouteError) in _ = try await mediator.call(NumberRoute()) }
    #expect("\(try #require(error))".contains("Cyclic load: Stores.Store waits for Stores.Store;"))
  }

  @Test("A memory warning releases the providers declared for it, after the listeners have run")
  func memoryWarning() async throws {
    let module = TestModule("Stores") { table in
      table.provide(One.self, lifetime: .untilMemoryWarning) { _ in One(number: 1) }
      table.provide(Two.self) { _ in Two(number: 2) }
      table.action(NumberRoute.self) { _, context in try await context.provider(One.self).number }
      table.action(SumRoute.self) { route, context in
        try await context.provider(Two.self).number + route.term
      }
      table.on(.memoryWarning) { _, context in _ = try await context.call(NumberRoute()) }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    try await mediator.call(SumRoute(term: 0))
    await mediator.deliver(.memoryWarning)
    #expect(mediator.loadedObjects == ["Stores.Two"])
  }

  @Test("Lazy routes conflict at startup, and two objects with the same name are a fault")
  func conflicts() throws {
    let module = TestModule("Stores") { table in
      table.lazy(NumberRoute.self, file: "S.swift", line: 1) { _ in { _, _ in 1 } }
      table.provide(Nested.NumberRoute.self, file: "S.swift", line: 2) { _ in Nested.NumberRoute() }
    }
    let rival = TestModule("Rival") { table in
      table.action(RivalRoute.self, file: "R.swift", line: 3) { _, _ in }
    }
    let issue = try #require(throws: RouteTableIssue.self) {
      try Mediator(schemes: ["estate"], modules: [module, rival])
    }
    #expect(
      issue.faults.map(\.description) == [
        "NumberRoute \"estate://store/number\" in module Stores (S.swift:1) and RivalRoute \"estate://store/number\" in module Rival "
          + "(R.swift:3) match the same URLs, such as estate://store/number; remove one or change its path.",
        "The body of NumberRoute in module Stores (S.swift:1) and Provider NumberRoute in module Stores (S.swift:2) have the same "
          + "name, by which the app releases them; rename one type.",
      ])
  }

  private enum Nested {
    struct NumberRoute {}
  }

  private struct RivalRoute: ParameterlessRoute {
    static let pattern: RoutePattern = "estate://store/number"
  }

  @Test("A lazy body is created once, on first use")
  func lazyBody() async throws {
    let counter = Counter()
    let module = TestModule("Stores") { table in
      table.lazy(NumberRoute.self) { context in
        let made = counter.next()
        let name = context.module ?? "-"
        return { _, context in
          #expect(name == "Stores" && context.url?.host == "store")
          return made
        }
      }
    }
    let mediator = try Mediator(schemes: ["estate"], modules: [module])
    #expect(counter.value == 0)
    #expect(try await mediator.call(NumberRoute()) == 1)
    #expect(try await mediator.call(NumberRoute()) == 1)
    try mediator.releaseObject("Stores.NumberRoute")
    #expect(try await mediator.call(NumberRoute()) == 2)
  }
}
