public import HTTPTypes

/// The response to a request: head, body, trailers and a report of how it was obtained.
///
/// A response is a value with copy-on-write storage: passing it costs one retain, and the first change of a
/// shared response copies its storage.
public struct Response: Sendable {
  private var parts: Parts
  // These two are stored outside the parts, so that they can be set without copying a response that its
  // dispatcher retains.
  private var attempts: Int
  /// How the cache was used, without copying the exchange; nil if the chain has none.
  package var cacheStatus: Exchange.CacheStatus?

  /// The status and header fields.
  ///
  /// If the body was decoded, `Content-Encoding` and `Content-Length` are removed.
  public var head: HTTPResponse {
    get { parts.head }
    _modify {
      makeUnique()
      parts.reading = nil
      yield &parts.head
    }
  }

  /// The content, in memory or as a stream.
  public var body: ResponseBody {
    get { parts.body }
    _modify {
      makeUnique()
      parts.reading = nil
      yield &parts.body
    }
  }

  /// Creates a response.
  ///
  /// - Parameter trailers: The trailer fields of a buffered body; a stream provides its own.
  public init(
    _ head: HTTPResponse, body: ResponseBody = .empty, trailers: HTTPFields? = nil,
    exchange: Exchange = Exchange()
  ) {
    parts = Parts(
      head: head, body: body, trailers: trailers, redirects: exchange.redirects,
      retryRefusal: exchange.retryRefusal, requestCoding: exchange.requestCoding,
      transport: exchange.transport)
    parts.credentialUse = exchange.credentialUse
    attempts = exchange.attempts
    cacheStatus = exchange.cache
  }

  /// Creates a response that was stored, with an empty report but for how the cache was used.
  // Beside the initializer above, because it creates and destroys an exchange also if that is empty.
  package init(
    stored head: HTTPResponse, body: [UInt8], trailers: HTTPFields?, cache: Exchange.CacheStatus? = nil
  ) {
    parts = Parts(
      head: head, body: .bytes(body), trailers: trailers, redirects: [], retryRefusal: nil,
      requestCoding: nil, transport: nil)
    attempts = 0
    cacheStatus = cache
  }

  /// Creates a response from a status and bytes.
  public init(status: HTTPResponse.Status, headerFields: HTTPFields = [:], bytes: [UInt8] = []) {
    self.init(HTTPResponse(status: status, headerFields: headerFields), body: .bytes(bytes))
  }

  /// The status.
  public var status: HTTPResponse.Status { parts.head.status }

  /// The trailer fields, or nil if there are none or a streamed body has not been read completely.
  public var trailers: HTTPFields? {
    if case .stream(let stream) = parts.body { stream.ending.trailers } else { parts.trailers }
  }

  /// How the response was obtained; for a streamed body, the figures are complete once it has been read
  /// completely.
  public var exchange: Exchange {
    get {
      var exchange = Exchange(
        attempts: attempts, cache: cacheStatus, redirects: parts.redirects,
        retryRefusal: parts.retryRefusal, requestCoding: parts.requestCoding, transport: transport)
      exchange.credentialUse = parts.credentialUse
      return exchange
    }
    set {
      makeUnique()
      parts.redirects = newValue.redirects
      parts.retryRefusal = newValue.retryRefusal
      parts.requestCoding = newValue.requestCoding
      parts.transport = newValue.transport
      parts.credentialUse = newValue.credentialUse
      attempts = newValue.attempts
      cacheStatus = newValue.cache
    }
  }

  /// What the chain did, without copying the transport's report, which is most of the exchange.
  package var chainReport: Exchange.ChainReport {
    Exchange.ChainReport(
      attempts: attempts, cache: cacheStatus, redirects: parts.redirects, retryRefusal: parts.retryRefusal,
      requestCoding: parts.requestCoding)
  }

  /// The request that the response is to, for descriptions and errors; nil if it isn't known.
  package var request: Request? { parts.request }

  /// Sets the request that the response is to, for descriptions and errors.
  ///
  /// - Parameter copying: Whether a response that its dispatcher or another caller also retains is copied for
  ///   it; otherwise such a response is unchanged.
  package mutating func note(_ request: Request, copying: Bool) {
    if copying {
      makeUnique()
    } else if !isKnownUniquelyReferenced(&parts) {
      return
    }
    parts.request = request.withoutLargeParts
  }

  /// The connection after the server has switched protocols, with the status 101; nil otherwise.
  package var connection: (any UpgradedConnection)? {
    get { parts.connection }
    set {
      makeUnique()
      parts.connection = newValue
    }
  }

  /// The exchange's use of credentials, without copying the exchange.
  package var credentialUse: Exchange.CredentialUse? {
    get { parts.credentialUse }
    set {
      makeUnique()
      parts.credentialUse = newValue
    }
  }

  /// The failure that a cache replaced by this stored response, if any.
  package var replacedFailure: ReplacedFailure? {
    get { parts.replacedFailure }
    set {
      makeUnique()
      parts.replacedFailure = newValue
    }
  }

  /// What the API that was called has read the response as, if a cache has asked whether it may be stored.
  ///
  /// It is that of the present head and body: changing either of them removes it.
  package var reading: Reading? {
    get { parts.reading }
    set {
      makeUnique()
      parts.reading = newValue
    }
  }

  /// The exchange's transport report, without copying the exchange.
  package var transport: TransportReport? {
    if case .stream(let stream) = parts.body, let transport = stream.ending.transport { return transport }
    return parts.transport
  }

  /// The coding from which the content was decoded; nil if the content is as it was sent.
  package var decodedCoding: ContentCoding? {
    head.headerFields.contentCodings.isEmpty ? transport?.contentCoding : nil
  }

  /// Sets the number of attempts to `attempt` unless it is already higher.
  mutating func raiseAttempts(to attempt: Int) {
    if attempts < attempt { attempts = attempt }
  }

  /// Returns the response with its body in memory.
  ///
  /// - Throws: ``NetworkError/Kind/bodyTooLarge(limit:)`` if the body is longer than `limit` bytes, or the
  ///   error that ends the stream early.
  public func buffered(upTo limit: Int) async throws(NetworkError) -> Response {
    let bytes = try await body.collect(upTo: limit)
    return with(.bytes(bytes))
  }

  /// Returns the response with another body, whose trailers are the present ones.
  package func with(_ body: ResponseBody) -> Response {
    let copy = Response(head, body: body, trailers: trailers, exchange: exchange)
    copy.parts.request = parts.request
    copy.parts.connection = parts.connection
    return copy
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&parts) { parts = Parts(parts) }
  }
}

extension Response {
  // Parts are modified only by a response that holds the sole reference, so no other thread observes a
  // change.
  fileprivate final class Parts: @unchecked Sendable {
    // As with a request's parts, the compiler guarantees that accesses don't overlap.
    @exclusivity(unchecked) var head: HTTPResponse
    @exclusivity(unchecked) var body: ResponseBody
    // The exchange is stored in pieces, because as a whole it would be copied for an access to one of them.
    @exclusivity(unchecked) var redirects: [Exchange.Redirect]
    @exclusivity(unchecked) var retryRefusal: Exchange.RetryRefusal?
    @exclusivity(unchecked) var requestCoding: ContentCoding?
    @exclusivity(unchecked) var transport: TransportReport?
    @exclusivity(unchecked) var trailers: HTTPFields?
    @exclusivity(unchecked) var credentialUse: Exchange.CredentialUse?
    @exclusivity(unchecked) var replacedFailure: ReplacedFailure?
    // The request and not its summary, which would be created for each response.
    @exclusivity(unchecked) var request: Request?
    @exclusivity(unchecked) var connection: (any UpgradedConnection)?
    @exclusivity(unchecked) var reading: Reading?

    init(
      head: HTTPResponse, body: ResponseBody, trailers: HTTPFields?, redirects: [Exchange.Redirect],
      retryRefusal: Exchange.RetryRefusal?, requestCoding: ContentCoding?,
      transport: TransportReport?
    ) {
      self.head = head
      self.body = body
      self.trailers = trailers
      self.redirects = redirects
      self.retryRefusal = retryRefusal
      self.requestCoding = requestCoding
      self.transport = transport
    }

    // Not inlined: the accessors that call it would exceed the frame size that a coroutine may have without a
    // heap allocation.
    @inline(never)
    init(_ other: Parts) {
      head = other.head
      body = other.body
      redirects = other.redirects
      retryRefusal = other.retryRefusal
      requestCoding = other.requestCoding
      transport = other.transport
      trailers = other.trailers
      credentialUse = other.credentialUse
      replacedFailure = other.replacedFailure
      request = other.request
      connection = other.connection
      reading = other.reading
    }
  }
}

extension Response {
  /// A response that an API has accepted, with its output, so that it is validated and decoded once.
  package final class Reading: Sendable {
    /// The request whose API has accepted the response; nil if only a condition was checked.
    package let request: RequestID?
    /// The output; nil if it is the response itself.
    package let output: (any Sendable)?

    /// Creates a reading.
    package init(request: RequestID? = nil, output: (any Sendable)? = nil) {
      self.request = request
      self.output = output
    }
  }
}

extension Response {
  /// The failure of a server in whose place a cache returns a stale stored response (RFC 5861, section 4).
  ///
  /// The cache stands after the stage `retry`, so it can't know whether an attempt is the last one. An
  /// interceptor that repeats requests decides by this failure, and returns the stored response only when it
  /// gives up.
  package indirect enum ReplacedFailure: Sendable {
    /// A response with a status that stands for a failure.
    case response(HTTPResponse)
    /// The error of a request that had no response.
    case error(NetworkError)
  }
}
