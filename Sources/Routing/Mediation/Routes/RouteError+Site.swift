extension RouteError {
  /// Where an error occurred: the route, its module and the caller, without any value.
  ///
  /// It is for people who read the error's description; equal errors may have different sites.
  public struct Site: Sendable, Hashable {
    /// The pattern of the route, or the name of a native one.
    let route: String
    /// The module that declares the route.
    let module: String
    /// The caller, in words.
    let caller: String
  }

  /// Returns the error with the route that it concerns, unless it has a site or is of a kind without one.
  func at(_ site: @autoclosure () -> Site) -> RouteError {
    switch self {
    case .parameter(let name, let reason, of: nil): .parameter(name: name, reason: reason, of: site())
    case .failed(let error, in: nil): .failed(error, in: site())
    default: self
    }
  }
}

extension RouteError.Site: CustomStringConvertible {
  /// The route, its module and the caller, such as "estate://home/{id} of module Homes, called by module
  /// Search".
  public var description: String { "\(owner), called by \(caller)" }

  /// The route and its module.
  var owner: String { "\(route) of module \(module)" }
}

extension Origin {
  /// The caller as a part of a sentence.
  var words: String {
    switch self {
    case .native(let module?): "module \(module)"
    case .native: "the app's own code"
    case .external(.scheme(let scheme)): "links of scheme \(scheme)"
    case .external(.universal(let host)): "web links of \(host)"
    case .external(.push): "push messages"
    case .external(.web(let host)): "pages of \(host)"
    case .external(.shortcut): "shortcuts"
    }
  }
}
