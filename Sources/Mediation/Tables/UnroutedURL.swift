/// A URL that no route answered, as a fallback sees it.
public struct UnroutedURL: Sendable {
  /// The text as it was asked for.
  public let text: String
  /// The URL, split; nil if it is a web address that does not keep the routing profile.
  public let url: RouteURL?
  /// The scheme, in lower case.
  public let scheme: String
  /// The host, in lower case.
  public let host: String
  /// What the caller would be told without the fallback.
  public let error: RouteError
}
