/// Where a call goes next: a URL, or a route that is known already.
enum Destination {
  case url(String)
  case target(RouteTarget)

  /// The URL of the destination, if it has one.
  var text: String? {
    switch self {
    case .url(let text): text
    case .target(let target): target.text
    }
  }

  /// The name of the route, if it is known.
  var name: String? {
    if case .target(let target) = self { target.route.name } else { nil }
  }
}
