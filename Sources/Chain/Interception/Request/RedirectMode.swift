/// What happens to a redirect; the terms are those of the Fetch Standard's redirect mode.
public enum RedirectMode: Sendable, Hashable {
  /// It is followed; the default.
  case follow
  /// The response that redirects is returned as it is, for a caller that reads `Location` itself, or whose
  /// request must reach no other server.
  case manual
  /// The call fails with a `RedirectError`, as for an API that never redirects.
  case refuse
}
