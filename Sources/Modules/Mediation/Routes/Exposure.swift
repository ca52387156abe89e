/// The callers that may reach a route by a URL.
///
/// Exposure is checked before any guard runs and again at each redirect; nothing bypasses it. It does not
/// apply to typed calls, because they need access to the route's type, which the compiler checks.
public enum Exposure: Sendable, Hashable {
  /// Only the module that declares the route.
  case moduleOnly
  /// Any code in the app.
  case app
  /// Any code in the app, and external URLs from these sources.
  case link(Set<LinkSource>)

  /// Returns whether a caller may reach a route of a module.
  func admits(_ origin: Origin, module: String) -> Bool {
    switch (self, origin) {
    case (.moduleOnly, .native(let caller)): caller == module
    case (.app, .native), (.link, .native): true
    case (.link(let sources), .external(let source)):
      sources.contains { $0.normalized == source.normalized }
    case (.moduleOnly, .external), (.app, .external): false
    }
  }
}

/// The caller of a URL.
public enum Origin: Sendable, Hashable {
  /// Code in the app.
  ///
  /// The module is known if the call is made through that module's `RouteContext`.
  case native(module: String?)
  /// A source outside the app's code.
  case external(LinkSource)

  /// Whether the caller is outside the app's code.
  public var isExternal: Bool {
    if case .external = self { true } else { false }
  }
}

/// Where an external URL came from.
public enum LinkSource: Sendable, Hashable {
  /// The system opened the app by the app's own scheme.
  case scheme(String)
  /// The system opened the app by an `https` link with this host.
  case universal(host: String)
  /// A push message.
  case push
  /// A web page of this host, shown in the app.
  case web(host: String)
  /// A home screen shortcut or the system's search.
  case shortcut

  /// The same source with scheme and host in lower case, for comparison.
  var normalized: LinkSource {
    func lowercase(_ text: String) -> String {
      String(decoding: text.utf8.map(URLHead.lowercase), as: UTF8.self)
    }
    return switch self {
    case .scheme(let scheme): .scheme(lowercase(scheme))
    case .universal(let host): .universal(host: lowercase(host))
    case .web(let host): .web(host: lowercase(host))
    case .push, .shortcut: self
    }
  }

  /// Returns whether a URL with this scheme and host, both in lower case, can come from the source.
  func fits(scheme: String, host: String) -> Bool {
    switch normalized {
    case .scheme(let own): own == scheme
    case .universal(let own): scheme == "https" && own == host
    case .push, .web, .shortcut: true
    }
  }
}
