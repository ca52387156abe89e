/// The routes of all modules, checked and frozen.
struct RouteRegistry: Sendable {
  let schemes: Set<String>
  let hosts: Set<String>
  let routes: [RegisteredRoute]
  let trie: RouteTrie
  let indices: [ObjectIdentifier: Int]
  /// Sorted by prefix, longest first.
  let fallbacks: [PrefixFallback]
  let moduleFallbacks: [ModuleFallback]
  /// The modules' providers, lazy routes, listeners and needs.
  let modules: ModuleRegistry

  init(
    schemes: [String], hosts: [String], modules: [any BusinessModule], guards: [any RouteGuard],
    environment: RouteEnvironment, clock: any Clock<Duration>
  ) throws(RouteTableIssue) {
    var review = RouteTableReview(schemes: schemes, hosts: hosts)
    review.checkNames(of: modules)
    var moduleGuards: [String: [any RouteGuard]] = [:]
    var moduleReview = ModuleReview(clock)
    var moduleFallbacks: [ModuleFallback] = []
    for module in modules {
      let table = moduleReview.declare(module)
      review.add(table, environment)
      if !table.moduleGuards.isEmpty { moduleGuards[module.name] = table.moduleGuards.ordered }
      for var fallback in table.moduleFallbacks {
        for route in table.declarations { fallback.add(route) }
        moduleFallbacks.append(fallback)
      }
    }
    review.checkIDs(of: guards)
    review.compareRoutes()
    review.compareFallbacks()
    let (moduleFaults, moduleRegistry) = moduleReview.finish(environment)
    let followerFaults = Self.followerFaults(environment, moduleRegistry, modules, review.routes)
    let faults = review.faults + moduleFaults + followerFaults
    if !faults.isEmpty { throw RouteTableIssue(faults: faults) }

    var indices: [ObjectIdentifier: Int] = [:]
    for (index, route) in review.routes.enumerated() { indices[route.type] = index }
    var builder = RouteTrieBuilder(review.tree)
    for (number, form) in review.forms.enumerated() {
      builder.describe(
        form.pattern, route: form.route, form: form.form, priority: review.routes[form.route].priority,
        isContested: review.contested.contains(number))
    }
    self.schemes = review.schemes
    self.hosts = review.hosts
    let appGuards = guards.ordered
    routes = review.routes.map { route in
      RegisteredRoute(route, otherGuards: appGuards + (moduleGuards[route.module] ?? []))
    }
    trie = builder.freeze()
    self.indices = indices
    fallbacks = review.fallbacks.sorted { $0.prefix.segments.count > $1.prefix.segments.count }

    self.moduleFallbacks = moduleFallbacks
    self.modules = moduleRegistry
  }
}

extension RouteRegistry {
  /// Returns what the followers in the environment find wrong.
  private static func followerFaults(
    _ environment: RouteEnvironment, _ registry: ModuleRegistry, _ modules: [any BusinessModule],
    _ routes: [RouteDeclaration]
  ) -> [RouteTableIssue.Fault] {
    let followers = environment.followers
    if followers.isEmpty { return [] }
    let contributions = registry.modules.flatMap(\.contributions)
    let owners = Dictionary(routes.map { ($0.type, $0.module) }) { first, _ in first }
    return followers.flatMap { $0.faults(in: contributions, of: modules.map(\.name), routes: owners) }
  }
}

extension RouteRegistry {
  /// A route, and the one of its patterns that a URL matches.
  struct Match {
    let route: RegisteredRoute
    let pattern: RoutePattern

    /// Returns the site of an error that a caller of the matched pattern gets.
    func site(calledFrom origin: Origin) -> RouteError.Site {
      RouteError.Site(route: pattern.text, module: route.module, caller: origin.words)
    }
  }

  /// Returns what a URL matches, or nil; considers only routes that `accepts` admits.
  func match(
    _ url: RouteURL, leniency: RouteSearch.Leniency = [],
    where accepts: (Int) -> Bool = RouteSearch.accepts
  ) -> Match? {
    guard let entry = trie.entry(of: url, leniency: leniency, where: accepts) else { return nil }
    let route = routes[Int(entry.route)]
    return route.declaration.pattern(Int(entry.form)).map { Match(route: route, pattern: $0) }
  }
}

/// A route of the finished table: its declaration, and all guards that a call of it passes.
///
/// A class, so that passing it to a call's code, guards and observers costs one retain.
final class RegisteredRoute: Sendable {
  let declaration: RouteDeclaration
  /// The guards of the app, of the module and of the route, in the order in which they decide.
  let guards: [any RouteGuard]

  init(_ declaration: RouteDeclaration, otherGuards: [any RouteGuard]) {
    self.declaration = declaration
    guards = otherGuards + declaration.guards
  }

  var name: String { declaration.place.name }
  var module: String { declaration.place.module }
  var pattern: RoutePattern? { declaration.pattern }
  var exposure: Exposure? { declaration.exposure }
  /// The name of the route's type, or the pattern of a route without a type.
  var label: String { declaration.hasType ? name : pattern?.text ?? name }

  /// Returns the site of an error that a caller of the route gets.
  func site(calledFrom origin: Origin) -> RouteError.Site {
    RouteError.Site(route: pattern?.text ?? name, module: module, caller: origin.words)
  }

  /// Whether a caller may open the route by a URL.
  func admits(_ origin: Origin) -> Bool { declaration.exposure?.admits(origin, module: module) == true }
}
