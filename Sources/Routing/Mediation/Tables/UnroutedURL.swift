/// A URL that no route matched, as passed to a fallback.
public struct UnroutedURL: Sendable {
  /// The text as the caller gave it.
  public let text: String
  /// The parsed URL; nil for a web URL that does not conform to the URL profile.
  public let url: RouteURL?
  /// The scheme, in lower case.
  package let scheme: String
  /// The host, in lower case.
  public let host: String
  /// The error that the caller would get without the fallback.
  public internal(set) var error: RouteError

  var isWeb: Bool { URLHead.isWeb(scheme) }

  /// Returns nil if not even scheme and host can be read.
  ///
  /// - Parameter url: The parsed text; nil if it does not conform to the profile.
  init?(_ text: String, _ url: RouteURL?, _ error: RouteError) {
    self.text = text
    self.url = url
    self.error = error
    if let url {
      (scheme, host) = (url.scheme, url.host)
    } else {
      guard let head = try? URLHead(text) else { return nil }
      (scheme, host) = (head.scheme, head.host)
    }
  }
}

extension UnroutedURL {
  /// The host, as the target in `scheme://target/action?parameters`.
  public var target: String { host }

  /// The decoded path segments joined by `/`, as the action in `scheme://target/action?parameters`; empty if
  /// there are none.
  public var action: String { url?.segments.joined(separator: "/") ?? "" }

  /// The decoded query fields, repeated names included; empty for a web URL that does not conform to the URL
  /// profile.
  package var query: [RouteURL.QueryItem] { url?.query ?? [] }

  /// The first value of each name in the query.
  public var parameters: [String: String] {
    Dictionary(query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
