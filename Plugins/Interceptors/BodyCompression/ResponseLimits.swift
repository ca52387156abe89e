import Interception

/// The maximum size of a decoded response.
///
/// A hundred megabytes of zeros compress to 165 bytes of brotli, so a limit on the encoded length or on
/// `Content-Length` is no protection.
public struct ResponseLimits: Sendable, Hashable {
  /// The maximum number of bytes of a response in memory; 64 MiB.
  ///
  /// The smaller of this and the request's own `RequestOptions.Delivery.buffered(upTo:)` applies.
  public var buffered: Int
  /// The maximum number of bytes of a streamed response; nil, the default, leaves only the request's own
  /// limit.
  public var streamed: Int64?
  /// The maximum number of decoded bytes per byte received, for responses in memory; 200, and nil for no
  /// limit.
  ///
  /// It applies only if the transport reports both figures, and only to responses longer than ``ratioFloor``:
  /// short repetitive texts legitimately reach 400.
  public var ratio: Int?
  /// The length in bytes up to which the ratio is ignored; 1 MiB.
  public var ratioFloor: Int

  /// Creates limits.
  public init(buffered: Int = 64 << 20, streamed: Int64? = nil, ratio: Int? = 200, ratioFloor: Int = 1 << 20)
  {
    self.buffered = buffered
    self.streamed = streamed
    self.ratio = ratio
    self.ratioFloor = ratioFloor
  }
}

extension ResponseLimits {
  /// Sets the limits in a request's options, for the dispatcher to enforce.
  ///
  /// Stricter limits are kept.
  func tighten(_ options: inout RequestOptions) {
    if case .buffered(let limit) = options.delivery, limit > buffered {
      options.delivery = .buffered(upTo: buffered)
    }
    if let streamed { options.streamLimit = min(options.streamLimit ?? .max, streamed) }
  }

  /// Returns the response, its stream wrapped in a limit, so that the limits hold even if the dispatcher
  /// ignored them.
  ///
  /// - Throws: ``NetworkError/Kind/bodyTooLarge(limit:)``.
  func checked(_ response: Response, asked options: RequestOptions) throws(NetworkError) -> Response {
    switch response.body {
    case .bytes(let bytes):
      try check(bytes.count, response.transport, asked: options)
      return response
    case .stream(let stream):
      guard let limit = Self.streamLimit(of: options) else { return response }
      if let length = stream.length, length > limit { throw .bodyTooLarge(limit: limit) }
      var response = response
      response.body = .stream(
        BodyStream(
          length: stream.length, ending: stream.ending,
          LimitedByteSource(try stream.claim(), limit: limit)))
      return response
    }
  }

  private func check(
    _ count: Int, _ transport: TransportReport?, asked options: RequestOptions
  ) throws(NetworkError) {
    let limit =
      if case .buffered(let limit) = options.delivery { limit } else {
        Int(clamping: options.streamLimit ?? .max)
      }
    guard count <= limit else { throw .bodyTooLarge(limit: Int64(limit)) }
    guard let ratio, count > ratioFloor, let transport, transport.contentCoding != nil,
      transport.bytes.received > 0
    else { return }
    let (product, isHuge) = transport.bytes.received.multipliedReportingOverflow(by: Int64(max(ratio, 1)))
    let allowed = max(isHuge ? .max : product, Int64(ratioFloor))
    guard Int64(count) > allowed else { return }
    throw NetworkError(
      .bodyTooLarge(limit: allowed),
      "\(transport.bytes.received) bytes of \(transport.contentCoding?.name ?? "coded content") decoded to \(count), "
        + "a ratio above \(ratio):1; raise ResponseLimits.ratio if you trust the server.",
      requestMayHaveBeenProcessed: true)
  }

  /// The limit of a stream.
  ///
  /// If a dispatcher streams although bytes were requested, the limit for bytes applies.
  private static func streamLimit(of options: RequestOptions) -> Int64? {
    switch options.delivery {
    case .buffered(let limit): Int64(limit)
    case .streamed: options.streamLimit
    }
  }
}
