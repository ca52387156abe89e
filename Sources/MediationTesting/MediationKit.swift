public import Mediation
import Navigation

/// Puts modules together for a test, with stubs for what other modules would give them.
///
/// The module under test is listed; the routes and services that it asks of others are stubbed by their types
/// from the contract targets, so that the test needs no provider's target:
///
///     var kit = MediationKit(schemes: ["estate"], modules: [ListingsModule(host: host)])
///     let homes = kit.stub(HomeRoute.self) { route, _ in }
///     let run = try await kit.start()
///     try await run.mediator.open("estate://listings/houses")
///     #expect(run.host.titles == ["Houses"] && homes.routes.map(\.id) == [7])
///
/// What it throws are typed errors with whole sentences, for Swift Testing and XCTest alike.
public struct MediationKit: Sendable {
  /// The app's own URL schemes.
  public var schemes: [String]
  /// The hosts whose `https` links the app answers.
  public var hosts: [String]
  /// The modules under test.
  public var modules: [any BusinessModule]
  /// The guards of the whole app.
  public var guards: [any RouteGuard]
  /// What the app lends; a navigator is put in if it has none.
  public var environment: RouteEnvironment
  /// Opens web addresses that no route answers.
  public var web: RouteFallback?
  /// Answers all other URLs that no route answers.
  public var notFound: RouteFallback?
  /// Measures times and limits.
  public var clock: any Clock<Duration>
  private var stubs = StubModule()

  /// Takes what the mediator is built of.
  public init(
    schemes: [String], hosts: [String] = [], modules: [any BusinessModule] = [],
    guards: [any RouteGuard] = [], environment: RouteEnvironment = RouteEnvironment(),
    web: RouteFallback? = nil, notFound: RouteFallback? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.schemes = schemes
    self.hosts = hosts
    self.modules = modules
    self.guards = guards
    self.environment = environment
    self.web = web
    self.notFound = notFound
    self.clock = clock
  }

  /// Answers a route of another module.
  ///
  /// - Returns: The calls that the stub gets.
  @discardableResult
  public mutating func stub<R: Route>(
    _ route: R.Type, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) -> StubCalls<R> {
    let calls = StubCalls<R>()
    stubs.declarations.append { table in
      table.action(route, file: file, line: line) { route, context in
        calls.add(route)
        return try await body(route, context)
      }
    }
    return calls
  }

  /// Answers a native route of another module.
  ///
  /// - Returns: The calls that the stub gets.
  @discardableResult
  public mutating func stub<R: NativeRoute>(
    _ route: R.Type, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) -> StubCalls<R> {
    let calls = StubCalls<R>()
    stubs.declarations.append { table in
      table.action(route, file: file, line: line) { route, context in
        calls.add(route)
        return try await body(route, context)
      }
    }
    return calls
  }

  /// Gives a service in another module's place.
  public mutating func stub<Service: Sendable>(
    service: Service.Type, file: String = #fileID, line: Int = #line,
    _ make: @escaping @Sendable () async throws -> Service
  ) {
    stubs.declarations.append { table in
      table.provide(service, file: file, line: line) { _ in try await make() }
    }
  }

  /// Builds the mediator, with a host that records.
  ///
  /// - Throws: `RouteTableIssue` with every fault, such as a route that is both stubbed and declared.
  @MainActor public func start() throws(RouteTableIssue) -> MediationRun {
    let host = RecordingHost()
    let events = RouteEventRecorder()
    var environment = environment
    let navigator: Navigator
    if let own = environment[NavigatorKey.self] {
      navigator = own
    } else {
      navigator = Navigator(host: host)
      environment[NavigatorKey.self] = navigator
    }
    let mediator = try build(environment, [events])
    return MediationRun(
      mediator: mediator, navigator: navigator, host: host, events: events,
      appGuards: Set(guards.map(\.id)))
  }

  /// Checks the modules' routes, services and needs against each other and the stubs.
  ///
  /// - Throws: `RouteTableIssue` with every fault at once.
  @MainActor public func checkNoConflicts() throws(RouteTableIssue) { _ = try start() }

  private func build(
    _ environment: RouteEnvironment, _ observers: [any RouteObserver]
  ) throws(RouteTableIssue) -> Mediator {
    let stubbed = stubs.declarations.isEmpty ? [] : [stubs]
    return try Mediator(
      schemes: schemes, hosts: hosts, modules: modules + stubbed, guards: guards, observers: observers,
      environment: environment, web: web, notFound: notFound, clock: clock)
  }
}

/// Declares what a kit stubs.
private struct StubModule: BusinessModule {
  let name = "Stubs"
  var declarations: [@Sendable (inout RouteTable) -> Void] = []

  func declare(into table: inout RouteTable) {
    for declaration in declarations { declaration(&table) }
  }
}
