/// One pattern of a route: 0 is the route's own, then come its aliases.
struct RouteForm: Sendable, Hashable {
  let route: Int
  let form: Int
}
