/// Redirects URLs before they are matched, for instance by rules that a server sends.
///
/// `RedirectTables` in the module `RouteRedirects` is one. Whatever a redirector returns, no caller gets more
/// permissions: the new URL is matched for the same caller, a URL whose route is not exposed to the caller is
/// not redirected, and a call follows at most 8 redirects.
public protocol RouteRedirector: Sendable {
  /// Receives the routes of a mediator when it is created, and returns the faults that prevent its use.
  ///
  /// Called before the mediator's first call. The mediator's initializer throws the faults.
  func connect(to routes: RedirectableRoutes) -> [RouteTableIssue.Fault]

  /// Returns the rules for a new call, or nil if no URL is redirected.
  ///
  /// Called once for each call, from any task. The call uses these rules until it ends.
  func snapshot() -> (any RedirectSnapshot)?
}

/// The rules by which a `RouteRedirector` redirects one call; they never change.
public protocol RedirectSnapshot: Sendable {
  /// The version of the rules, for observers.
  var version: Int { get }

  /// Returns the URL to which a URL is redirected, with the index of the rule; nil if no rule applies.
  ///
  /// - Parameter pattern: The pattern of a route that the URL matches; nil if no route matches.
  /// - Throws: `RouteError.notFound` if the rules disable the URL; `RouteError.parameter` if the new URL
  ///   cannot carry a value.
  func redirect(
    _ url: RouteURL, matching pattern: RoutePattern?
  ) throws(RouteError) -> (url: String, rule: Int)?

  /// Returns whether the rules disable all URLs of a route's own pattern.
  ///
  /// Decides about calls by value whose values no URL can carry.
  func disables(_ pattern: RoutePattern) -> Bool
}

/// The routes of a mediator, against which a redirector checks its rules.
public struct RedirectableRoutes: Sendable {
  /// A pattern of a route: the route's own, or one of its aliases.
  public struct Entry: Sendable {
    /// The pattern.
    public let pattern: RoutePattern
    /// The module, the route and where the pattern was declared.
    public let place: RouteTable.Place
    /// The callers that may reach the route.
    public let exposure: Exposure
    /// The name of the route's output type.
    public let output: String

    /// Returns whether a caller may open the route by a URL.
    public func admits(_ origin: Origin) -> Bool { exposure.admits(origin, module: place.module) }
  }

  /// The app's own URL schemes.
  public let schemes: Set<String>
  /// The hosts whose `https` links the app opens.
  public let hosts: Set<String>
  /// The patterns of all routes that have one.
  public let entries: [Entry]
  /// Whether the app opens web URLs that no route matches.
  public let opensWebPages: Bool
  private let observers: [any RouteObserver]

  init(_ registry: RouteRegistry, opensWebPages: Bool, observers: [any RouteObserver]) {
    schemes = registry.schemes
    hosts = registry.hosts
    entries = registry.routes.flatMap { route in
      let declaration = route.declaration
      return declaration.patterns.compactMap { pattern in
        declaration.exposure.map {
          Entry(
            pattern: pattern, place: declaration.place(of: pattern), exposure: $0, output: declaration.output)
        }
      }
    }
    self.opensWebPages = opensWebPages
    self.observers = observers
  }

  /// Tells the mediator's observers that other rules apply from now on; nil means that there are none.
  public func reportChange(toVersion version: Int?) {
    for observer in observers { observer.observe(.redirectsChanged(version: version)) }
  }
}
