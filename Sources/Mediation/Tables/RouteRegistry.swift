/// The routes of all modules, checked and frozen.
struct RouteRegistry: Sendable {
  let schemes: Set<String>
  let hosts: Set<String>
  let routes: [RouteDeclaration]
  let trie: RouteTrie
  let indices: [ObjectIdentifier: Int]
  /// The guards of whole modules, in the order in which they are asked.
  let moduleGuards: [String: [any RouteGuard]]
  /// The longest prefix first.
  let fallbacks: [PrefixFallback]

  init(
    schemes: [String], hosts: [String], modules: [any BusinessModule], guards: [any RouteGuard],
    environment: RouteEnvironment
  ) throws(RouteTableIssue) {
    var review = RouteTableReview(schemes: schemes, hosts: hosts)
    review.checkNames(of: modules)
    var moduleGuards: [String: [any RouteGuard]] = [:]
    for module in modules {
      var table = RouteTable(module: module.name)
      module.declare(into: &table)
      review.add(table, environment)
      if !table.moduleGuards.isEmpty { moduleGuards[module.name] = table.moduleGuards.ordered }
    }
    review.checkIDs(of: guards)
    review.compareRoutes()
    review.compareFallbacks()
    if !review.faults.isEmpty { throw RouteTableIssue(faults: review.faults) }

    var builder = RouteTrieBuilder()
    var indices: [ObjectIdentifier: Int] = [:]
    for (index, route) in review.routes.enumerated() {
      indices[route.type] = index
      guard let pattern = route.pattern else { continue }
      builder.insert(
        pattern, route: index, priority: route.priority, isContested: review.contested.contains(index))
    }
    self.schemes = review.schemes
    self.hosts = review.hosts
    routes = review.routes
    trie = builder.freeze()
    self.indices = indices
    self.moduleGuards = moduleGuards
    fallbacks = review.fallbacks.sorted { $0.prefix.segments.count > $1.prefix.segments.count }
  }
}
