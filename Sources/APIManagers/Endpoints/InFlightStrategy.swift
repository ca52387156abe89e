/// How a load is handled while an earlier one of the same manager is in flight.
public enum InFlightStrategy: Sendable, Hashable {
  /// The new request is not sent; suitable for refreshing.
  ///
  /// A load of the same request, header fields included, joins the earlier one, unless that is a download or
  /// a stream; request IDs and the fields of tracing may differ. Any other load is ignored. A load that
  /// demands a response from the server is sent beside an equal one that a cache may answer.
  case ignoreNew
  /// The earlier requests are cancelled; suitable for filters and search fields, where only the last response
  /// matters.
  case cancelPrevious
  /// All requests are sent.
  case parallel
}
