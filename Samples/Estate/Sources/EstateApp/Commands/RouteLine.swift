import Switchyard

/// A route in one line: its URLs, who may open them, and what they do not need.
struct RouteLine {
  let text: String

  init(_ route: RouteDescription) {
    var words = [([route.pattern ?? route.name] + route.aliases).joined(separator: " or ")]
    switch route.reach {
    case .native: words.append("by value")
    case .moduleOnly: words.append("only from \(route.module)")
    case .app: words.append("from the app")
    case .link:
      words.append("from the app and from " + Set(route.sources.map(\.kind)).sorted().joined(separator: ", "))
    }
    let optional = route.parameters.filter(\.isOptional).map(\.name)
    if !optional.isEmpty { words.append("without \(optional.joined(separator: ", ")) too") }
    if route.priority != 0 { words.append("priority \(route.priority)") }
    text = words.joined(separator: "; ")
  }
}
