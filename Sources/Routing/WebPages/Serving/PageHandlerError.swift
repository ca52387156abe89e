/// Why a page handler can't be created.
public struct PageHandlerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong and what to do.
  public let description: String

  private init(_ description: String) { self.description = description }

  /// The scheme is none of the app's own: it is malformed, or the web view itself handles it.
  package static func scheme(_ scheme: String) -> PageHandlerError {
    PageHandlerError(
      "\"\(scheme)\" can't be the scheme of the app's pages: use one of its own, such as \"estate-page\".")
  }

  /// The text is not a host, with or without a port, or is listed twice; nil if no site is listed.
  package static func site(_ site: String?) -> PageHandlerError {
    guard let site else {
      return PageHandlerError("The handler has no sites: list the hosts whose pages it may load.")
    }
    return PageHandlerError(
      "\"\(site)\" is not a host, or is listed twice: list hosts once, such as \"www.example.com\".")
  }

  /// The package's site is not listed, or has two packages.
  package static func package(site: String) -> PageHandlerError {
    PageHandlerError(
      "The site \"\(site)\" of a package is not listed, or has two packages: list it, with one package.")
  }

  /// The path of calls does not begin with a slash, or has characters that paths must not have.
  package static func callPath(_ path: String) -> PageHandlerError {
    PageHandlerError(
      "\"\(path)\" is not a path for calls: use one that no file has, such as \"/app-calls\".")
  }

  /// A site whose pages call the app has a port, or the list of methods is invalid.
  package static func calls(_ reason: String) -> PageHandlerError {
    PageHandlerError("The pages can't call the app: \(reason)")
  }
}
