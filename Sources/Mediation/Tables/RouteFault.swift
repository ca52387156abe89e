/// One thing that is wrong in a table of routes.
public enum RouteFault: Sendable, Hashable, CustomStringConvertible {
  /// A pattern's text is faulty.
  case pattern(RoutePatternError, at: RoutePlace)
  /// A pattern's scheme, or its host with a web scheme, is not one of the mediator's.
  case foreign(RoutePlace, scheme: String, host: String)
  /// Two routes answer the same URLs; the sample is one of them.
  case duplicate(RoutePlace, RoutePlace, sampleURL: String)
  /// Two routes answer a URL, each has others as well, and no priority decides; the sample is one that both
  /// answer.
  case overlap(RoutePlace, RoutePlace, sampleURL: String)
  /// The first route is never reached, because the second answers all its URLs and has the higher priority.
  case unreachable(RoutePlace, by: RoutePlace, sampleURL: String)
  /// One route type is declared twice.
  case twice(RoutePlace, RoutePlace)
  /// Two modules have one name.
  case moduleName(String)
  /// Two guards have one id.
  case guardID(String)
  /// A route needs something that the app did not put into the environment.
  case unmetNeed(RoutePlace, need: String, remedy: String)
  /// An alias is of a route that its module does not declare.
  case strayAlias(RoutePlace)
  /// A module needs something that no module gives, or that the environment does not hold.
  case unmetModuleNeed(module: String, need: String, remedy: String)
  /// Modules need each other in a circle, in words for each step.
  case needCircle([String])
  /// A scheme or host given to the mediator is not one.
  case address(String)

  /// What is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .pattern(let error, let place):
      "\(place.name) in module \(place.module) (\(place.file):\(place.line)): \(error)"
    case .foreign(let place, let scheme, let host):
      "\(place): \(scheme)://\(host) is not the app's; add the scheme"
        + (URLHead.isWeb(scheme) ? "'s host to the mediator's hosts." : " to the mediator's schemes.")
    case .duplicate(let first, let second, let url):
      "\(first) and \(second) answer the same URLs, such as \(url); remove one or change its path."
    case .overlap(let first, let second, let url):
      "\(first) and \(second) both answer \(url) and neither is the more specific; give one a higher `priority:` "
        + "or change a path."
    case .unreachable(let first, let second, let url):
      "\(first) is never reached, because \(second) also answers \(url) with a higher priority; "
        + "give the first at least the same priority."
    case .twice(let first, let second):
      "\(first) is declared again as \(second); remove one."
    case .moduleName(let name):
      "Two modules are called \"\(name)\"; rename one, or list it once."
    case .guardID(let id):
      "Two different guards have the id \"\(id)\"; give each its own."
    case .unmetNeed(let place, let need, let remedy):
      "\(place) needs \(need), which the environment does not hold; \(remedy)."
    case .strayAlias(let place):
      "\(place) is an alias of a route that the module does not declare; declare the route there, or the alias in its module."
    case .unmetModuleNeed(let module, let need, let remedy):
      "Module \(module) needs \(need), which is not there; \(remedy)."
    case .needCircle(let steps):
      "Modules need each other in a circle: \(steps.joined(separator: ", ")); make one need `.unordered`, or move what "
        + "is needed to a module of its own."
    case .address(let text):
      "\"\(text)\" is no scheme or host name; write it alone, as in \"estate\" or \"estate.example\"."
    }
  }
}
