/// The index of a route and of one of its patterns: 0 for the route's own, then its aliases.
struct RouteForm: Sendable, Hashable {
  let route: Int
  let form: Int
}
