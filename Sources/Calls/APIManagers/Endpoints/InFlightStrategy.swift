/// How a load is handled while an earlier one of the same manager is in flight.
public enum InFlightStrategy: Sendable, Hashable {
  /// The new request is not sent; suitable for refreshing.
  ///
  /// A load of the same request, header fields included but for those of tracing, joins the earlier one,
  /// unless that is a download or a stream. Any other load is ignored. A load that demands a response from
  /// the server is sent beside an equal one that a cache may answer. So is a load beside a request of another
  /// account, and beside one that only reads and whose response may be outdated: stored responses were
  /// removed since, as by a ``TagRegistry``, a write by the same pipeline has ended, or
  /// `SharingInterceptor.closeFlights()` was called.
  case ignoreNew
  /// The earlier requests are cancelled; suitable for filters and search fields, where only the last response
  /// matters.
  case cancelPrevious
  /// All requests are sent, and each response is delivered; `lastResponse` is that of the load that began
  /// last.
  case parallel
}
