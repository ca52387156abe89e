/// What becomes of a load while an earlier one of the same manager is in flight.
public enum InFlightStrategy: Sendable, Hashable {
  /// The new one is not sent: right for a refresh.
  ///
  /// It joins the earlier one when both ask for the same; it is ignored when they ask for different things.
  case ignoreNew
  /// The earlier ones are cancelled: right for filters and search fields, where only the last answer matters.
  case cancelPrevious
  /// All of them are sent.
  case parallel
}
