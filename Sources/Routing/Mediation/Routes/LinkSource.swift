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
