/// An error that lists all faults in the modules' declarations.
public struct RouteTableIssue: Error, Sendable, Hashable, CustomStringConvertible {
  /// All faults, in declaration order.
  package let faults: [Fault]

  /// One line per fault.
  public var description: String {
    let count = faults.count == 1 ? "1 fault" : "\(faults.count) faults"
    return (["The route table has \(count):"] + faults.map { "- \($0)" }).joined(separator: "\n")
  }
}

extension RouteTableIssue {
  /// A fault in a table of routes.
  package enum Fault: Sendable, Hashable, CustomStringConvertible {
    /// A pattern is not well-formed.
    case pattern(RoutePattern.SyntaxError, at: RouteTable.Place)
    /// A pattern's scheme, or its host if the scheme is a web scheme, is not one of the mediator's.
    case foreign(RouteTable.Place, scheme: String, host: String)
    /// Two routes match exactly the same URLs. `sampleURL` is one of them.
    case duplicate(RouteTable.Place, RouteTable.Place, sampleURL: String)
    /// Two routes both match some URLs, neither is more specific, and their priorities are equal. `sampleURL`
    /// matches both.
    case overlap(RouteTable.Place, RouteTable.Place, sampleURL: String)
    /// The first route is never reached, because the second matches all its URLs and has a higher priority.
    case unreachable(RouteTable.Place, by: RouteTable.Place, sampleURL: String)
    /// A route type, a provider or a module's fallback is declared twice.
    case redeclared(RouteTable.Place, RouteTable.Place)
    /// Two types whose objects are created at first use have the same name in one module.
    case objectName(RouteTable.Place, RouteTable.Place)
    /// Two modules have the same name.
    case moduleName(String)
    /// Two guards have the same id.
    case guardID(String)
    /// A route needs a value that the environment does not hold.
    case unmetNeed(RouteTable.Place, need: String, remedy: String)
    /// An alias refers to a route that its module does not declare.
    case strayAlias(RouteTable.Place)
    /// A module needs something that no module provides, or that the environment does not hold.
    case unmetModuleNeed(module: String, need: String, remedy: String)
    /// The needs of modules form a cycle; each string describes one step.
    case needCycle([String])
    /// A property of a route that decodes itself and a placeholder of its pattern do not agree; nil stands
    /// for the one that is missing.
    case property(RouteTable.Place, property: String?, placeholder: String?, problem: String)
    /// A scheme or host given to the mediator is not valid.
    case address(String)
    /// The redirector cannot serve the mediator; the text says why, and what to do.
    case redirector(String)
    /// An aspect of screens does not fit the modules or its stage; the text says why, and what to do.
    case aspect(String)

    /// What is wrong, where, and what to do.
    package var description: String {
      switch self {
      case .pattern(let error, let place):
        "\(place.name) in module \(place.module) (\(place.file):\(place.line)): \(error)"
      case .foreign(let place, let scheme, let host):
        "\(place): \(scheme)://\(host) is not the app's; "
          + (URLHead.isWeb(scheme)
            ? "add the host to the mediator's hosts." : "add the scheme to the mediator's schemes.")
      case .duplicate(let first, let second, let url):
        "\(first) and \(second) match the same URLs, such as \(url); remove one or change its path."
      case .overlap(let first, let second, let url):
        "\(first) and \(second) both match \(url) and neither is more specific; give one a higher `priority:` "
          + "or change a path."
      case .unreachable(let first, let second, let url):
        "\(first) is never reached, because \(second) also matches \(url) with a higher priority; "
          + "give the first at least the same priority."
      case .redeclared(let first, let second):
        "\(first) is declared again as \(second); remove one."
      case .objectName(let first, let second):
        "\(first) and \(second) have the same name, by which the app releases them; rename one type."
      case .moduleName(let name):
        "Two modules are named \"\(name)\"; rename one, or list it once."
      case .guardID(let id):
        "Two different guards have the id \"\(id)\"; give each its own id."
      case .unmetNeed(let place, let need, let remedy):
        "\(place) needs \(need), which the environment does not hold; \(remedy)."
      case .strayAlias(let place):
        "\(place) is an alias of a route that the module does not declare; declare the route there, or declare the alias in the route's module."
      case .unmetModuleNeed(let module, let need, let remedy):
        "Module \(module) needs \(need), which is missing; \(remedy)."
      case .needCycle(let steps):
        "The needs of modules form a cycle: \(steps.joined(separator: ", ")); make one need `.unordered`, or move what "
          + "is needed to a separate module."
      case .property(let place, let property?, _, let problem):
        "\(place): property \"\(property)\": \(problem)."
      case .property(let place, nil, let placeholder, let problem):
        "\(place): " + (placeholder.map { "placeholder {\($0)}: " } ?? "") + problem + "."
      case .address(let text):
        "\"\(text)\" is not a scheme or host name; write the name alone, as in \"estate\" or \"estate.example\"."
      case .redirector(let text):
        "The redirector cannot serve the mediator: \(text)"
      case .aspect(let text):
        text
      }
    }
  }
}
