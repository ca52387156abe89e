/// The routes of all modules, checked and frozen.
struct RouteRegistry: Sendable {
  let schemes: Set<String>
  let hosts: Set<String>
  let routes: [RouteDeclaration]
  let trie: RouteTrie
  let indices: [ObjectIdentifier: Int]
  /// The longest prefix first.
  let fallbacks: [PrefixFallback]

  init(
    schemes: [String], hosts: [String], modules: [any BusinessModule], guards: [any RouteGuard],
    environment: RouteEnvironment
  ) throws(RouteTableIssue) {
    var review = RouteTableReview(schemes: schemes, hosts: hosts)
    review.checkNames(of: modules)
    for module in modules {
      var table = RouteTable(module: module.name)
      module.declare(into: &table)
      review.add(table, environment)
    }
    review.checkIDs(of: guards)
    review.compareRoutes()
    review.compareFallbacks()
    if !review.faults.isEmpty { throw RouteTableIssue(faults: review.faults) }

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
    routes = review.routes
    trie = builder.freeze()
    self.indices = indices
    fallbacks = review.fallbacks.sorted { $0.prefix.segments.count > $1.prefix.segments.count }
  }
}
