import ContentCodings
import HTTPTypes
public import Interception
import Synchronization

/// Compresses request bodies with gzip, requests compressed responses, and limits their decoded size.
///
/// A request body is compressed if it has at least `threshold` bytes, can be sent again, has a media type
/// that isn't already compressed, carries neither `Content-Encoding` nor a digest, and shrinks by at least a
/// tenth. A body that isn't in memory is compressed while it is sent: its length is then unknown, and the
/// saving isn't checked.
///
/// If the server refuses the coding with a 415 and an `Accept-Encoding` field (RFC 7694, section 3), or a
/// compressed stream with a 411, the body is sent again uncompressed, once, and the refusal is remembered for
/// 24 hours. A 415 without that field concerns something else and is returned. A server that doesn't know the
/// coding and responds with a 400 isn't recognized: set ``RequestCompression/whereAccepted`` or
/// ``RequestCompression/never`` for it.
///
/// The dispatcher decodes the response; this interceptor also counts the decoded bytes.
public final class CompressionInterceptor: Interceptor {
  /// At stage `Stage.compression`; calls `next` again after a refusal.
  public let traits: InterceptorTraits
  private let requests: RequestCompression
  private let threshold: Int
  private let level: Int
  private let codings: [ContentCoding]
  private let limits: ResponseLimits
  private let time: TimeSource
  private let resourceCodings: Mutex<ResourceCodings>

  /// Creates an interceptor.
  ///
  /// - Parameters:
  ///   - requests: Which bodies are compressed, unless `RequestContext.requestCompression` overrides it.
  ///   - threshold: The minimum length of a body that is compressed, in bytes.
  ///   - level: The compression level, 1 to 9.
  ///   - codings: The codings offered to the server for responses. They apply to requests without codings of
  ///     their own, `Accept-Encoding` or `Range`. With an empty list none is offered, and the dispatcher
  ///     needn't decode.
  ///   - limits: The maximum size of a response.
  ///   - time: The clock that determines when refusals expire.
  public init(
    requests: RequestCompression = .whenLarge, threshold: Int = 1024, level: Int = 6,
    accepting codings: [ContentCoding] = [.gzip, .brotli, .zstd, .deflate],
    limits: ResponseLimits = ResponseLimits(), time: TimeSource = .system
  ) {
    traits = InterceptorTraits(
      stage: .compression, callsNext: .anyNumber,
      requires: codings.isEmpty ? [] : [.dispatcher(.responseDecoding)])
    self.requests = requests
    self.threshold = threshold
    self.level = level
    self.codings = codings
    self.limits = limits
    self.time = time
    resourceCodings = Mutex(ResourceCodings())
  }

  /// Sends the request, compressed where that saves bytes, and limits its response.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    var request = request
    limits.tighten(&request.options)
    if asksForCodings(request, capabilities: next.capabilities) { request.options.acceptedCodings = codings }
    let response = try await answered(request, next)
    return try limits.checked(response, asked: request.options)
  }

  private func asksForCodings(_ request: Request, capabilities: DispatcherCapabilities) -> Bool {
    // A range of encoded content can't be decoded by itself.
    request.options.acceptedCodings.isEmpty && capabilities.contains(.responseDecoding)
      && !request.head.headerFields.contains { $0.name == .acceptEncoding || $0.name == .range }
  }

  private func answered(_ request: Request, _ next: some Dispatcher) async throws -> Response {
    guard let coded = try coded(request) else {
      let response = try await next.dispatch(request)
      learn(from: response, to: request)
      return response
    }
    let response = try await next.dispatch(coded)
    guard Self.isRefusal(response, of: coded) else {
      learn(from: response, to: request)
      return response
    }
    let resource = ResourceCodings.Resource(request.head)
    resourceCodings.withLock { $0.note(.refuses, on: resource, at: time.now()) }
    return try await next.dispatch(request)
  }

  /// Returns the request with a compressed body, or nil if it is to be sent unchanged.
  private func coded(_ request: Request) throws(NetworkError) -> Request? {
    // Short bodies are never compressed, so the resource isn't looked up. Most requests have no body at all.
    if let length = request.body.length, length < Int64(max(threshold, 1)) { return nil }
    let resource = ResourceCodings.Resource(request.head)
    let verdict = resourceCodings.withLock { $0.verdict(on: resource, at: time.now()) }
    let plan = CompressionPlan(
      for: request, rule: request.context.requestCompression ?? requests, threshold: threshold,
      verdict: verdict)
    var coded = request
    switch plan {
    case .identity: return nil
    case .whole(let limit):
      guard let bytes = try GzipEncoder.encode(request.body.bytes ?? [], level: level, atMost: limit) else {
        return nil
      }
      coded.body = .bytes(bytes)
    case .chunkwise:
      let (body, level) = (request.body, level)
      coded.body = .restartable(length: nil) { () async throws(NetworkError) -> any ByteSource in
        try GzipByteSource(try await body.open(), announced: body.length, level: level)
      }
    }
    coded.head.headerFields[.contentEncoding] = ContentCoding.gzip.name
    coded.head.headerFields[.contentLength] = nil
    return coded
  }

  private static func isRefusal(_ response: Response, of coded: Request) -> Bool {
    switch response.status.code {
    case 415:
      // Without the field the server refused the media type, not the coding.
      response.head.headerFields[.acceptEncoding].map { AcceptEncoding($0).acceptsIdentity } ?? false
    case 411: coded.body.length == nil
    default: false
    }
  }

  private func learn(from response: Response, to request: Request) {
    guard let field = response.head.headerFields.value(of: .acceptEncoding) else { return }
    let verdict: ResourceCodings.Verdict = AcceptEncoding(field).accepts(.gzip) ? .accepts : .refuses
    let resource = ResourceCodings.Resource(request.head)
    resourceCodings.withLock { $0.note(verdict, on: resource, at: time.now()) }
  }
}
