/// What a guard decides about a navigation.
public enum GuardVerdict: Sendable, Hashable {
  /// Go on.
  case proceed
  /// Open this URL in its place, for the same caller with the same rights.
  case redirect(String)
  /// Stop, for this reason, which the caller is told.
  case reject(String)
  /// Open this URL first, which must answer `Bool`, and go on if it answers true.
  ///
  /// Navigations that need the same detour at the same time share one.
  case detour(String)
}
