/// A report of how a response was obtained: attempts, redirects, cache and transport.
public struct Exchange: Sendable, Hashable {
  /// The number of attempts; 0 if nothing was sent.
  ///
  /// After redirects, those of the last request.
  public var attempts: Int
  /// How the cache was used; nil if the chain has none.
  public var cache: Exchange.CacheStatus?
  /// The redirects that were followed, in order; the last one has the URL of the response.
  public var redirects: [Exchange.Redirect]
  /// Why the request was not sent again; nil if the response is not one that is usually retried.
  public var retryRefusal: Exchange.RetryRefusal?
  /// The coding of the request's body, if an interceptor compressed it; nil if it was sent as it is.
  ///
  /// A server that doesn't know the coding may respond with a 400.
  public var requestCoding: ContentCoding?
  /// The transport's report; nil if no transport was used.
  public var transport: TransportReport?

  /// Creates a report.
  public init(
    attempts: Int = 0, cache: Exchange.CacheStatus? = nil, redirects: [Exchange.Redirect] = [],
    retryRefusal: Exchange.RetryRefusal? = nil, requestCoding: ContentCoding? = nil,
    transport: TransportReport? = nil
  ) {
    self.attempts = attempts
    self.cache = cache
    self.redirects = redirects
    self.retryRefusal = retryRefusal
    self.requestCoding = requestCoding
    self.transport = transport
  }
}
