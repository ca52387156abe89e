public import HTTPTypes

/// The answer to a request: head, body, trailers and a report of how it came about.
public struct Response: Sendable {
  /// Status and header fields.
  ///
  /// Where the dispatcher decoded the body, `Content-Encoding` and `Content-Length` are gone.
  public var head: HTTPResponse
  /// The content, in memory or as a stream.
  public var body: ResponseBody
  private var reported: Exchange
  private var bufferedTrailers: HTTPFields?

  /// Makes a response.
  ///
  /// - Parameter trailers: The fields that followed a buffered body; a stream brings its own.
  public init(
    _ head: HTTPResponse, body: ResponseBody = .empty, trailers: HTTPFields? = nil,
    exchange: Exchange = Exchange()
  ) {
    self.head = head
    self.body = body
    self.bufferedTrailers = trailers
    self.reported = exchange
  }

  /// Makes a response of a status and bytes.
  public init(status: HTTPResponse.Status, headerFields: HTTPFields = [:], bytes: [UInt8] = []) {
    self.init(HTTPResponse(status: status, headerFields: headerFields), body: .bytes(bytes))
  }

  /// The status.
  public var status: HTTPResponse.Status { head.status }

  /// The fields after the body; nil until a stream has been read to its end, and when there are none.
  public var trailers: HTTPFields? {
    if case .stream(let stream) = body { stream.ending.trailers } else { bufferedTrailers }
  }

  /// How the answer came about; a stream's figures are complete once it has been read to its end.
  public var exchange: Exchange {
    get {
      guard case .stream(let stream) = body, let transport = stream.ending.transport else { return reported }
      var exchange = reported
      exchange.transport = transport
      return exchange
    }
    set { reported = newValue }
  }

  /// Notes the number of an attempt, unless a higher one is noted.
  mutating func raiseAttempts(to attempt: Int) {
    if reported.attempts < attempt { reported.attempts = attempt }
  }

  /// Returns the response with its body in memory.
  ///
  /// - Throws: ``NetworkError/Kind/bodyTooLarge(limit:)`` when the body is longer than `limit` bytes, and
  ///   whatever ends the stream early.
  public func buffered(upTo limit: Int) async throws(NetworkError) -> Response {
    let bytes = try await body.collect(upTo: limit)
    return Response(head, body: .bytes(bytes), trailers: trailers, exchange: exchange)
  }
}
