import ContentCodings
import HTTPTypes
public import Interception
import Synchronization

/// Compresses request bodies for servers that accept it, and requests and decodes compressed responses,
/// within a limit of their decoded size.
///
/// Without it requests ask for content without a coding, because dispatchers deliver content as it was sent.
/// It stands at stage `compression`, after signing and caching, which concern the content and not its coding,
/// and before logging, which sees what is sent.
///
/// A request body is compressed if the server has announced a coding, or if the request's context or the
/// interceptor's rule names one; see ``RequestCompression``.
///
/// ```swift
/// let pipeline = try Pipeline(over: CurlDispatcher()) { CompressionInterceptor() }
/// var request = Request(method: .post, authority: "api.example", path: "/notes", body: .bytes(note))
/// request.context.requestCompression = .unlessRefused(.gzip)
/// let response = try await pipeline.send(request)
/// ```
///
/// The body must also have at least `threshold` bytes, be repeatable, have a media type that isn't already
/// compressed, carry neither `Content-Encoding` nor a digest, also among its trailers, not be covered by the
/// request's credentials (Digest with `auth-int`), and shrink by at least a tenth. A body that isn't in
/// memory is compressed while it is sent: its length is then unknown, and the saving isn't checked.
///
/// If the server refuses a compressed body with a 415, or a compressed stream with a 411, it is sent again
/// uncompressed, once, unless the 415 has an `Accept-Encoding` field that excludes that (RFC 7694, section
/// 3). The refusal is remembered for 24 hours, unless the uncompressed body is refused with a 415 too. Any
/// other response to a compressed body is returned, and `response.exchange.requestCoding` names the coding:
/// a server that doesn't know it may respond with a 400.
///
/// What servers announce and refuse is remembered for up to 256 resources, that is authorities and paths.
///
/// A response is decoded by the caller's task: in memory at once, and as a stream while it is read, with the
/// trailers of the body. `Content-Encoding` and `Content-Length` are removed; fields with a digest are kept,
/// and concern the coded content (RFC 9530). `response.exchange.transport` has the coding and both lengths. A
/// response without content, and a part of a resource (206), is delivered as it was sent. Content that is
/// broken, truncated, followed by other bytes, or in codings that can't be decoded, is a
/// `NetworkError.Kind.protocolViolation`.
///
/// A request with an `Accept-Encoding` or `Range` field of its own is sent with it, and its response is
/// delivered as it was sent. A dispatcher with `DispatcherCapabilities.responseDecoding`, such as one over
/// `URLSession`, decodes by itself, so that only gzip and deflate are requested.
public final class CompressionInterceptor: Interceptor {
  /// At stage `Stage.compression`; calls `next` again after a refusal.
  public let traits: InterceptorTraits
  private let requests: RequestCompression
  private let threshold: Int
  private let level: Int
  /// The field by which codings are requested; nil for none.
  private let offer: HTTPField?
  /// The field for a dispatcher that decodes by itself.
  private let platformOffer: HTTPField?
  private let sampleDecoder = SampleDecoder { coded, codings, limit in
    ContentDecoding(codings)?.sample(of: coded, upTo: limit) ?? []
  }
  private let limits: ResponseLimits
  private let time: TimeSource
  private let resourceCodings: Mutex<ResourceCodings>

  /// Creates an interceptor.
  ///
  /// - Parameters:
  ///   - requests: Which bodies are compressed, unless `RequestContext.requestCompression` overrides it.
  ///   - threshold: The minimum length of a body that is compressed, in bytes.
  ///   - level: The compression level, 1 for the fastest to 9 for the smallest, on the scale of each coding.
  ///   - codings: The codings offered to the server for responses, of gzip, deflate, br and zstd; others are
  ///     ignored. They apply to requests without an `Accept-Encoding` or `Range` field of their own. With an
  ///     empty list none is offered, and none decoded.
  ///   - limits: The maximum size of a response.
  ///   - time: The clock that determines when announcements and refusals expire.
  public init(
    requests: RequestCompression = .whereAccepted, threshold: Int = 1024, level: Int = 6,
    accepting codings: [ContentCoding] = [.gzip, .brotli, .zstd, .deflate],
    limits: ResponseLimits = ResponseLimits(), time: TimeSource = .system
  ) {
    traits = InterceptorTraits(stage: .compression, callsNext: .anyNumber)
    self.requests = requests
    self.threshold = threshold
    self.level = level
    offer = Self.offer(of: codings.filter(ContentCoding.decodable.contains))
    platformOffer = Self.offer(of: codings.filter { $0 == .gzip || $0 == .deflate })
    self.limits = limits
    self.time = time
    resourceCodings = Mutex(ResourceCodings())
  }

  private static func offer(of codings: [ContentCoding]) -> HTTPField? {
    guard !codings.isEmpty else { return nil }
    return HTTPField(name: .acceptEncoding, value: codings.map(\.name).joined(separator: ", "))
  }

  /// Sends the request, compressed where that saves bytes, and decodes and limits its response.
  ///
  /// - Throws: The error of `next`; `NetworkError.Kind.bodyTooLarge` if the response exceeds a limit;
  ///   `NetworkError.Kind.protocolViolation` if it can't be decoded; `NetworkError.Kind.invalidRequest` if
  ///   the request's rule names a coding that can't be written.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard request.permits(.coding) else { return try await next.dispatch(request) }
    var request = request
    limits.tighten(&request.options)
    let options = request.options
    let isDecoded = next.capabilities.contains(.responseDecoding)
    guard let offer = isDecoded ? platformOffer : offer,
      // A range of encoded content can't be decoded by itself.
      !request.head.headerFields.contains(where: { $0.name == .acceptEncoding || $0.name == .range })
    else { return try limits.checked(try await answered(request, next), asked: options) }
    request.head.headerFields.append(offer)
    if !isDecoded {
      ResponseLimits.makeRoomForCoding(in: &request.options)
      request.context.sampleDecoder = sampleDecoder
    }
    let response: Response
    do throws(NetworkError) {
      response = try await answered(request, next)
    } catch {
      throw ResponseLimits.restated(error, raised: request.options, asked: options)
    }
    return try limits.checked(try decoded(response, to: request, asked: options), asked: options)
  }

  /// Returns the response with its content decoded, or decoded while it is read.
  private func decoded(
    _ response: Response, to request: Request, asked options: RequestOptions
  ) throws(NetworkError) -> Response {
    switch DecodingPlan(for: response.head, to: request.head.method) {
    case .asSent: return response
    case .refuse(let codings):
      // No content is the same in every coding.
      guard response.body.length != 0 else { return response }
      throw DecodingFault(codings, of: request).unknown
    case .decode(let codings):
      guard let decoding = ContentDecoding(codings) else {
        throw NetworkError(
          .rejected, "There is no memory to decode the response; try again, or free memory.",
          requestMayHaveBeenProcessed: true)
      }
      return try decoded(response, decoding, DecodingFault(codings, of: request), asked: options)
    }
  }

  private func decoded(
    _ response: Response, _ decoding: sending ContentDecoding, _ fault: DecodingFault,
    asked options: RequestOptions
  ) throws(NetworkError) -> Response {
    let coding = decoding.coding
    var decoded = response
    decoded.head.headerFields[.contentEncoding] = nil
    decoded.head.headerFields[.contentLength] = nil
    let (source, sent): (any ByteSource, BodyStream.Ending)
    switch (response.body, options.delivery) {
    case (.bytes(let bytes), .buffered(let limit)):
      let content = try limits.content(of: bytes, decoding, upTo: limit, fault)
      decoded.body = .bytes(content)
      decoded.exchange.transport = response.transport?.decoded(coding, to: Int64(content.count))
      return decoded
    case (.bytes(let bytes), .streamed):
      (source, sent) = (BufferedByteSource(bytes), BodyStream.Ending())
      sent.finish(trailers: response.trailers, transport: response.transport)
    case (.stream(let stream), _): (source, sent) = (try stream.claim(), stream.ending)
    }
    let ending = BodyStream.Ending()
    decoded.body = .stream(
      BodyStream(
        length: nil, ending: ending,
        DecodedByteSource(source, decoding, fault: fault, sent: sent, ending: ending)))
    decoded.exchange.transport = response.transport?.decoded(coding, to: 0)
    return decoded
  }

  private func answered(
    _ request: Request, _ next: some Dispatcher
  ) async throws(NetworkError) -> Response {
    guard let coding = coding(for: request), let coded = try coded(request, coding) else {
      let response = try await next.dispatch(request)
      learn(from: response, to: request)
      return response
    }
    let refusal: RefusedCoding
    switch try await firstResult(of: coded, coding, next: next) {
    case .response(let response): return response
    case .refusal(let refused): refusal = refused
    }
    if refusal.isCertain { note(refusal, of: request) }
    let response = try await next.dispatch(request)
    // The same refusal again concerns something else than the coding.
    if !refusal.isCertain, response.status.code != 415 { note(refusal, of: request) }
    learn(from: response, to: request)
    return response
  }

  private func note(_ refusal: RefusedCoding, of request: Request) {
    let resource = ResourceCodings.Resource(request.head)
    resourceCodings.withLock { $0.noteRefused(refusal.codings, by: resource, at: time.now()) }
  }

  private enum FirstResult {
    case response(Response)
    case refusal(RefusedCoding)
  }

  /// Sends the compressed request.
  ///
  /// A function of its own, so that a refusal is released before the request is sent again.
  private func firstResult(
    of coded: Request, _ coding: ContentCoding, next: some Dispatcher
  ) async throws(NetworkError) -> FirstResult {
    var response = try await next.dispatch(coded)
    learn(from: response, to: coded)
    if let refusal = RefusedCoding(coding, by: response.head, isStream: coded.body.length == nil) {
      return .refusal(refusal)
    }
    response.exchange.requestCoding = coding
    return .response(response)
  }

  /// Returns the coding for the request's body; nil if it is to be sent unchanged.
  private func coding(for request: Request) -> ContentCoding? {
    // Short bodies are never compressed, so the resource isn't looked up. Most requests have no body at all.
    if let length = request.body.length, length < Int64(max(threshold, 1)) { return nil }
    let rule = request.context.requestCompression ?? requests
    // Most servers announce nothing.
    if rule == .whereAccepted, resourceCodings.withLock({ $0.isEmpty }) { return nil }
    let resource = ResourceCodings.Resource(request.head)
    return resourceCodings.withLock { $0.coding(for: resource, by: rule, at: time.now()) }
  }

  /// Returns the request with a compressed body; nil if it is to be sent unchanged.
  private func coded(_ request: Request, _ coding: ContentCoding) throws(NetworkError) -> Request? {
    var coded = request
    switch CompressionPlan(for: request, threshold: threshold) {
    case .identity: return nil
    case .whole(let limit):
      guard let bytes = try coding.encode(request.body.bytes ?? [], level: level, atMost: limit) else {
        return nil
      }
      coded.body = .bytes(bytes)
    case .chunkwise:
      let (body, level) = (request.body, level)
      coded.body = .restartable(length: nil) { () async throws(NetworkError) -> any ByteSource in
        try EncodedByteSource(try await body.open(), coding: coding, announced: body.length, level: level)
      }
    }
    coded.head.headerFields[.contentEncoding] = coding.name
    coded.head.headerFields[.contentLength] = nil
    return coded
  }

  private func learn(from response: Response, to request: Request) {
    guard let field = response.head.headerFields.value(of: .acceptEncoding) else { return }
    let accepted = AcceptEncoding(field).accepted(of: ContentCoding.encodable)
    let resource = ResourceCodings.Resource(request.head)
    resourceCodings.withLock { $0.noteAccepted(accepted, by: resource, at: time.now()) }
  }
}

extension RequestContext {
  private enum RequestCompressionKey: ContextKey { static let defaultValue: RequestCompression? = nil }

  /// Which bodies are compressed, for this request; nil, the default, for the interceptor's own rule.
  ///
  /// Set it to ``RequestCompression/never`` if a body mixes secrets with text chosen by others: the
  /// compressed length reveals information about both.
  public var requestCompression: RequestCompression? {
    get { self[RequestCompressionKey.self] }
    set { self[RequestCompressionKey.self] = newValue }
  }
}
