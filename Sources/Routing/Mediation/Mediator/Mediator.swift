/// Routes calls between modules: by value, by URL, and from outside the app.
///
/// An app builds it once from all modules. Afterwards only a redirector can change which route a URL opens. A
/// call passes these steps in order: the queue of links (external URLs only), the URL profile, the
/// redirector, pattern matching, exposure, parameters, the app's guards, the guards of the route's module,
/// the route's own guards, the route's code. Within each of the three lists, guards run by descending
/// priority, then by id.
///
/// A call runs in the caller's task and ends if that task is cancelled. A redirect by a guard or a redirector
/// starts again at the profile with the same caller and the same permissions, at most 8 times per call.
public final class Mediator: Sendable {
  /// The maximum number of redirects per call.
  package static let maximumRedirects = 8

  let registry: RouteRegistry
  let observers: [any RouteObserver]
  let web: RouteFallback?
  let notFound: RouteFallback?
  let environment: RouteEnvironment
  let detours = DetourFlights()
  let clock: any Clock<Duration>
  let links: LinkGate?
  let redirector: (any RouteRedirector)?
  let deliveries = DeliveryQueue()

  /// Creates the mediator of an app, or throws an error that lists all faults in its routes.
  ///
  /// - Parameters:
  ///   - schemes: The app's own URL schemes.
  ///   - hosts: The hosts whose `https` links the app opens; exact names, no patterns.
  ///   - modules: The business modules, created by the app with their dependencies.
  ///   - guards: Guards that run for every route, before the route's own.
  ///   - observers: The observers of all events.
  ///   - environment: The values that routes need from the app, such as the navigator.
  ///   - web: Opens `http` and `https` URLs that no route matches.
  ///   - notFound: Answers all other URLs that no route matches.
  ///   - links: Makes external links wait until `ready()` is called; with nil they open at once.
  ///   - redirector: Redirects URLs before they are matched, such as the redirect tables of a server.
  ///   - clock: The clock for the deadlines of guards and for the modules' running times and limits.
  /// - Throws: `RouteTableIssue` with every fault, each with its source locations and a remedy.
  public init(
    schemes: [String], hosts: [String] = [], modules: [any BusinessModule],
    guards: [any RouteGuard] = [], observers: [any RouteObserver] = [],
    environment: RouteEnvironment = RouteEnvironment(), web: RouteFallback? = nil,
    notFound: RouteFallback? = nil, links: LinkQueuePolicy? = nil, redirector: (any RouteRedirector)? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws(RouteTableIssue) {
    registry = try RouteRegistry(
      schemes: schemes, hosts: hosts, modules: modules, guards: guards, environment: environment,
      clock: clock)
    self.observers = observers
    self.environment = environment
    self.web = web
    self.notFound = notFound
    self.clock = clock
    self.links = links.map { LinkGate($0) }
    self.redirector = redirector
    if let checking = redirector as? any CheckingRedirector {
      let faults = checking.connect(
        to: RedirectableRoutes(registry, opensWebPages: web != nil, observers: observers))
      if !faults.isEmpty { throw RouteTableIssue(faults: faults) }
    }
  }

  /// Tells the observers of an event, which is not created if there are none.
  func observe(_ event: @autoclosure () -> RouteEvent) {
    if observers.isEmpty { return }
    let event = event()
    for observer in observers { observer.observe(event) }
  }

  /// Returns a context for a module's code that runs outside a call, while it loads something or handles a
  /// life-cycle event.
  func context(of module: String, doing what: String, _ ownTime: OwnTime) -> RouteContext {
    RouteContext(
      mediator: self, module: module, origin: .native(module: module), place: .name(what), caller: nil,
      wantsResult: true, ownTime: ownTime)
  }

  /// Tells the observers of a module's event.
  func observe(_ event: ModuleEvent) {
    for observer in observers { observer.observe(event) }
  }
}
