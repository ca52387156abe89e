/// Leads calls from one module to another: by value, by URL, and from outside.
///
/// It is built once from all modules and never changes. A call passes, in this order: the URL profile, the match, the exposure,
/// the parameters, the app's guards, the route's guards, the route's code. It runs in the caller's task; cancelling that
/// ends it. Redirects by guards start again at the profile with the same caller, at most 8 times.
public final class Mediator: Sendable {
  /// So many redirects a call may take.
  static let hopLimit = 8

  let registry: RouteRegistry
  let guards: [any RouteGuard]
  let observers: [any RouteObserver]
  let web: RouteFallback?
  let notFound: RouteFallback?
  let environment: RouteEnvironment
  let detours = DetourFlights()
  let deliveries = DeliveryQueue()
  let clock: any Clock<Duration>

  /// Builds the mediator of an app, or reports all that is wrong with its routes at once.
  ///
  /// - Parameters:
  ///   - schemes: The app's own URL schemes.
  ///   - hosts: The hosts whose `https` links the app answers; exact names, no patterns.
  ///   - modules: The business modules, made by the app with what they depend on.
  ///   - guards: Asked for every route, before the route's own.
  ///   - observers: Told of every event.
  ///   - environment: What routes need of the app, such as the navigator.
  ///   - web: Opens `http` and `https` addresses that no route answers.
  ///   - notFound: Answers all other URLs that no route answers.
  ///   - clock: Measures the modules' own times and limits.
  /// - Throws: `RouteTableIssue` with every fault, each with its places and the remedy.
  public init(
    schemes: [String], hosts: [String] = [], modules: [any BusinessModule],
    guards: [any RouteGuard] = [], observers: [any RouteObserver] = [],
    environment: RouteEnvironment = RouteEnvironment(), web: RouteFallback? = nil,
    notFound: RouteFallback? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) throws(RouteTableIssue) {
    registry = try RouteRegistry(
      schemes: schemes, hosts: hosts, modules: modules, guards: guards, environment: environment,
      clock: clock)
    self.clock = clock
    self.guards = guards.ordered
    self.observers = observers
    self.environment = environment
    self.web = web
    self.notFound = notFound
  }

  func observe(_ event: RouteEvent) {
    for observer in observers { observer.observe(event) }
  }
}
