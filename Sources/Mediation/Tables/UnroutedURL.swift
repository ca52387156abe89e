/// A URL that no route matched, as passed to a fallback.
public struct UnroutedURL: Sendable {
  /// The text as the caller gave it.
  public let text: String
  /// The parsed URL; nil for a web URL that does not conform to the URL profile.
  public let url: RouteURL?
  /// The scheme, in lower case.
  public let scheme: String
  /// The host, in lower case.
  public let host: String
  /// The error that the caller would get without the fallback.
  public let error: RouteError
}
