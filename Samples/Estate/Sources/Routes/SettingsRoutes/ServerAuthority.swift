public import Mediation

/// The host and port of a server, as in `localhost:8443`.
public struct ServerAuthority: RouteValue, Codable, Hashable {
  /// An authority, with which the route's properties are checked at startup.
  public static let routeSample: String? = "localhost:8443"

  /// The authority as it stands in a URL.
  public let text: String

  /// Creates an authority; nil if the text is not a host of letters, digits, dots and hyphens, with or
  /// without a port.
  public init?(routeText: String) {
    let parts = routeText.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = parts.first, !host.isEmpty,
      host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }),
      parts.count == 1 || UInt16(parts[1]) != nil
    else { return nil }
    text = routeText
  }

  /// The authority as it stands in a URL.
  public var routeText: String { text }
}
