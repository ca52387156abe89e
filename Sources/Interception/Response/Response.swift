public import HTTPTypes

/// The answer to a request: head, body, trailers and a report of how it came about.
///
/// A response is a value. Handing it on costs a reference; the first change of a shared one copies its parts,
/// once.
public struct Response: Sendable {
  private var parts: Parts
  // Beside the parts, so that the pipeline can note it on an answer that its dispatcher keeps.
  private var attempts: Int

  /// Status and header fields.
  ///
  /// Where the dispatcher decoded the body, `Content-Encoding` and `Content-Length` are gone.
  public var head: HTTPResponse {
    get { parts.head }
    _modify {
      makeUnique()
      yield &parts.head
    }
  }

  /// The content, in memory or as a stream.
  public var body: ResponseBody {
    get { parts.body }
    _modify {
      makeUnique()
      yield &parts.body
    }
  }

  /// Makes a response.
  ///
  /// - Parameter trailers: The fields that followed a buffered body; a stream brings its own.
  public init(
    _ head: HTTPResponse, body: ResponseBody = .empty, trailers: HTTPFields? = nil,
    exchange: Exchange = Exchange()
  ) {
    parts = Parts(
      head: head, body: body, trailers: trailers, cache: exchange.cache, transport: exchange.transport)
    attempts = exchange.attempts
  }

  /// Makes a response of a status and bytes.
  public init(status: HTTPResponse.Status, headerFields: HTTPFields = [:], bytes: [UInt8] = []) {
    self.init(HTTPResponse(status: status, headerFields: headerFields), body: .bytes(bytes))
  }

  /// The status.
  public var status: HTTPResponse.Status { parts.head.status }

  /// The fields after the body; nil until a stream has been read to its end, and when there are none.
  public var trailers: HTTPFields? {
    if case .stream(let stream) = parts.body { stream.ending.trailers } else { parts.trailers }
  }

  /// How the answer came about; a stream's figures are complete once it has been read to its end.
  public var exchange: Exchange {
    get {
      var exchange = Exchange(attempts: attempts, cache: parts.cache, transport: parts.transport)
      if case .stream(let stream) = parts.body, let transport = stream.ending.transport {
        exchange.transport = transport
      }
      return exchange
    }
    set {
      makeUnique()
      parts.cache = newValue.cache
      parts.transport = newValue.transport
      attempts = newValue.attempts
    }
  }

  /// Notes the number of an attempt, unless a higher one is noted.
  mutating func raiseAttempts(to attempt: Int) {
    if attempts < attempt { attempts = attempt }
  }

  /// Returns the response with its body in memory.
  ///
  /// - Throws: ``NetworkError/Kind/bodyTooLarge(limit:)`` when the body is longer than `limit` bytes, and
  ///   whatever ends the stream early.
  public func buffered(upTo limit: Int) async throws(NetworkError) -> Response {
    let bytes = try await body.collect(upTo: limit)
    return Response(head, body: .bytes(bytes), trailers: trailers, exchange: exchange)
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&parts) { parts = Parts(parts) }
  }
}

extension Response {
  // Parts are changed only by a response that alone refers to them, so no other thread sees a change.
  fileprivate final class Parts: @unchecked Sendable {
    // As of a request's parts: the compiler sees to it that accesses don't overlap.
    @exclusivity(unchecked) var head: HTTPResponse
    @exclusivity(unchecked) var body: ResponseBody
    // The exchange in pieces: as a whole it is copied where one of them is meant.
    @exclusivity(unchecked) var cache: CacheStatus?
    @exclusivity(unchecked) var transport: TransportReport?
    @exclusivity(unchecked) var trailers: HTTPFields?

    init(
      head: HTTPResponse, body: ResponseBody, trailers: HTTPFields?, cache: CacheStatus?,
      transport: TransportReport?
    ) {
      self.head = head
      self.body = body
      self.trailers = trailers
      self.cache = cache
      self.transport = transport
    }

    // Never inlined: the accessors that call it would outgrow what a coroutine may use without a heap object.
    @inline(never)
    init(_ other: Parts) {
      head = other.head
      body = other.body
      cache = other.cache
      transport = other.transport
      trailers = other.trailers
    }
  }
}
