public import Mediation

/// Logs in if necessary and opens another URL, such as a link in a mail; the result is whether a member is
/// logged in.
public struct WelcomeRoute: Route, Codable, Hashable {
  /// The result.
  public typealias Output = Bool
  /// The URLs of such links.
  public static let pattern: RoutePattern = "estate://welcome?next={next?}"
  /// Open to links; the next URL is opened with the permissions of the link.
  public static let exposure = Exposure.link([.scheme("estate")])
  /// The line in the manifest.
  public static let purpose = "Logs in and opens the next URL."

  /// The URL to open after the login.
  public var next: String?

  /// Creates the route.
  public init(next: String?) { self.next = next }
}
