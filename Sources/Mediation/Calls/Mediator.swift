/// Leads calls from one module to another: by value, by URL, and from outside.
///
/// It is built once from all modules; only a redirect table can change where URLs lead. A call passes, in
/// this order: the queue of links (from outside only), the URL profile, the redirect table, the match, the
/// exposure, the parameters, the app's guards, the guards of the route's module, the route's own guards, the
/// route's code. Within each of the three lists guards of higher priority are asked first, equal ones in the
/// order of their ids.
///
/// A call runs in the caller's task; cancelling that ends it. Redirects, by guards or by a table, start again
/// at the profile with the same caller and the same rights, at most 8 times in one call.
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
  let clock: any Clock<Duration>
  let links: LinkGate?
  let redirectPolicy: RedirectPolicy
  let redirects: RedirectShelf
  let deliveries = DeliveryQueue()

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
  ///   - links: Lets links from outside wait until `ready()` is called; nil opens them at once.
  ///   - redirects: Which redirect tables the mediator takes at run time; by default none.
  ///   - clock: Measures the deadlines of guards, and the modules' own times and limits.
  /// - Throws: `RouteTableIssue` with every fault, each with its places and the remedy.
  public init(
    schemes: [String], hosts: [String] = [], modules: [any BusinessModule],
    guards: [any RouteGuard] = [], observers: [any RouteObserver] = [],
    environment: RouteEnvironment = RouteEnvironment(), web: RouteFallback? = nil,
    notFound: RouteFallback? = nil, links: LinkQueueing? = nil, redirects: RedirectPolicy = .refused,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws(RouteTableIssue) {
    registry = try RouteRegistry(
      schemes: schemes, hosts: hosts, modules: modules, guards: guards, environment: environment,
      clock: clock)
    self.guards = guards.ordered
    self.observers = observers
    self.environment = environment
    self.web = web
    self.notFound = notFound
    self.clock = clock
    self.links = links.map { LinkGate($0) }
    redirectPolicy = try redirects.checked()
    self.redirects = RedirectShelf(minimumVersion: redirects.minimumVersion)
  }

  func observe(_ event: RouteEvent) {
    for observer in observers { observer.observe(event) }
  }
}
