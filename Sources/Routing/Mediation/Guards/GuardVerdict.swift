/// The decision of a guard about a call.
public enum GuardVerdict: Sendable, Hashable {
  /// Continue.
  case proceed
  /// Open this URL instead, for the same caller with the same permissions.
  case redirect(String)
  /// Refuse the call for this reason, which the caller receives.
  case reject(String)
  /// Open this URL first, whose route must return `Bool`, and continue if the result is true.
  ///
  /// Concurrent calls that need the same detour share it.
  case detour(String)
}
