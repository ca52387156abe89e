/// Where a URL from outside came in.
public enum LinkSource: Sendable, Hashable {
  /// The system opened the app by its own scheme.
  case scheme(String)
  /// The system opened the app by an `https` link of this host.
  case universal(host: String)
  /// A push message carried the URL.
  case push
  /// A web page of this host, shown in the app, asked for the URL.
  case web(host: String)
  /// A shortcut of the home screen or the system's search.
  case shortcut

  /// The same source with scheme and host in lower case, as they are compared.
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

  /// Whether a URL can have come in this way at all.
  func fits(_ head: URLHead) -> Bool {
    switch normalized {
    case .scheme(let scheme): scheme == head.scheme
    case .universal(let host): head.scheme == "https" && head.host == host
    case .push, .web, .shortcut: true
    }
  }
}
