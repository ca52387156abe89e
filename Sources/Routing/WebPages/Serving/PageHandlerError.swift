/// Why a page handler can't be created.
public enum PageHandlerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The scheme is none of the app's own: it is malformed, or the web view itself handles it.
  case scheme(String)
  /// The text is not a host, with or without a port, or is listed twice; nil if no site is listed.
  case site(String?)
  /// The package's site is not listed, or has two packages.
  case package(site: String)
  /// The path of calls does not begin with a slash, or has characters that paths must not have.
  case callPath(String)
  /// A site whose pages call the app has a port, or the list of methods is invalid.
  case calls(String)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .scheme(let scheme):
      "\"\(scheme)\" can't be the scheme of the app's pages: use one of its own, such as \"estate-page\"."
    case .site(nil): "The handler has no sites: list the hosts whose pages it may load."
    case .site(let site?):
      "\"\(site)\" is not a host, or is listed twice: list hosts once, such as \"www.example.com\"."
    case .package(let site):
      "The site \"\(site)\" of a package is not listed, or has two packages: list it, with one package."
    case .callPath(let path):
      "\"\(path)\" is not a path for calls: use one that no file has, such as \"/app-calls\"."
    case .calls(let reason): "The pages can't call the app: \(reason)"
    }
  }
}
