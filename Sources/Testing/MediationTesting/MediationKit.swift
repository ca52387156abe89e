public import Mediation
import Navigation
import Synchronization

/// Builds a mediator for a test from the modules under test and stubs for the other modules.
///
/// Modules under test are listed; the routes and providers that they use from other modules are stubbed by
/// their types from the contract targets, so that the test does not depend on the modules that provide them:
///
///     var kit = MediationKit(schemes: ["estate"], modules: [ListingsModule(host: host)])
///     let homes = kit.stub(HomeRoute.self) { route, _ in }
///     let run = try await kit.start()
///     try await run.mediator.open("estate://listings/houses")
///     #expect(run.host.titles == ["Houses"] && homes.routes.map(\.id) == [7])
///
/// Its errors are typed and describe themselves in full sentences, for Swift Testing and XCTest alike.
public struct MediationKit: Sendable {
  /// The app's own URL schemes.
  let schemes: [String]
  /// The hosts whose `https` links the app opens.
  let hosts: [String]
  /// The modules under test.
  let modules: [any BusinessModule]
  /// The guards of the whole app.
  let guards: [any RouteGuard]
  /// The environment; a navigator is added if it has none.
  let environment: RouteEnvironment
  /// Opens web URLs that no route matches.
  let web: RouteFallback?
  /// Answers all other URLs that no route matches.
  let notFound: RouteFallback?
  /// The clock for deadlines and running times.
  let clock: any Clock<Duration>
  private var stubs = StubModule()

  /// Creates a kit with the mediator's settings.
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

  /// Stubs a route of another module.
  ///
  /// - Returns: The recorded calls of the stub.
  @discardableResult
  public mutating func stub<R: Route>(
    _ route: R.Type, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) -> StubCalls<R> {
    let calls = StubCalls<R>()
    stubs.declarations.append { table in
      table.action(route, file: file, line: line, calls.recording(body))
    }
    return calls
  }

  /// Stubs a native route of another module.
  ///
  /// - Returns: The recorded calls of the stub.
  @discardableResult
  public mutating func stub<R: NativeRoute>(
    _ route: R.Type, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) -> StubCalls<R> {
    let calls = StubCalls<R>()
    stubs.declarations.append { table in
      table.action(route, file: file, line: line, calls.recording(body))
    }
    return calls
  }

  /// Stubs a provider of another module.
  public mutating func stub<Provider: Sendable>(
    provider: Provider.Type, file: String = #fileID, line: Int = #line,
    _ make: @escaping @Sendable () async throws -> Provider
  ) {
    stubs.declarations.append { table in
      table.provide(provider, file: file, line: line) { _ in try await make() }
    }
  }

  /// Builds the mediator with a recording host.
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

  private func build(
    _ environment: RouteEnvironment, _ observers: [any RouteObserver]
  ) throws(RouteTableIssue) -> Mediator {
    let stubbed = stubs.declarations.isEmpty ? [] : [stubs]
    return try Mediator(
      schemes: schemes, hosts: hosts, modules: modules + stubbed, guards: guards, observers: observers,
      environment: environment, web: web, notFound: notFound, clock: clock)
  }
}

/// Declares the stubs of a kit.
private struct StubModule: BusinessModule {
  let name = "Stubs"
  var declarations: [@Sendable (inout RouteTable) -> Void] = []

  func declare(into table: inout RouteTable) {
    for declaration in declarations { declaration(&table) }
  }
}
