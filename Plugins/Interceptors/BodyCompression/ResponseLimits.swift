import ContentCodings
import Interception

/// The maximum size of a decoded response.
///
/// A hundred megabytes of zeros compress to 165 bytes of brotli, so a limit on the encoded length or on
/// `Content-Length` is no protection.
public struct ResponseLimits: Sendable, Hashable {
  /// The maximum number of bytes of a response in memory; 64 MiB.
  package var buffered: Int
  /// The maximum number of bytes of a streamed response; nil, the default, leaves only the request's own
  /// limit.
  package var streamed: Int64?
  /// The maximum number of decoded bytes per byte received, for responses in memory; 200, and nil for no
  /// limit.
  package var ratio: Int?
  /// The length in bytes up to which the ratio is ignored; 1 MiB.
  package var ratioFloor: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - buffered: The maximum number of bytes of a response in memory; 64 MiB.
  ///
  ///     The smaller of this and the request's own `RequestOptions.Delivery.buffered(upTo:)` applies.
  ///   - streamed: The maximum number of bytes of a streamed response; nil, the default, leaves only the
  ///     request's own limit.
  ///   - ratio: The maximum number of decoded bytes per byte received, for responses in memory; 200, and nil
  ///     for no limit.
  ///
  ///     It applies only to responses longer than `ratioFloor`: short repetitive texts legitimately reach
  ///     400.
  ///   - ratioFloor: The length in bytes up to which the ratio is ignored; 1 MiB.
  public init(buffered: Int = 64 << 20, streamed: Int64? = nil, ratio: Int? = 200, ratioFloor: Int = 1 << 20)
  {
    self.buffered = buffered
    self.streamed = streamed
    self.ratio = ratio
    self.ratioFloor = ratioFloor
  }
}

extension ResponseLimits {
  /// Raises the limits for the dispatcher, which then apply to content as it is sent: a coding makes content
  /// longer that it can't shorten.
  ///
  /// The content itself is limited while it is decoded, and by ``checked(_:asked:)``.
  static func makeRoomForCoding(in options: inout RequestOptions) {
    guard case .buffered(let limit) = options.delivery else { return options.streamLimit = nil }
    let (sum, isHuge) = limit.addingReportingOverflow(max(limit, 0) / 64 + 4_096)
    options.delivery = .buffered(upTo: isHuge ? .max : sum)
  }

  /// Returns the error of a dispatcher with the limit that the caller knows.
  static func restated(
    _ error: NetworkError, raised: RequestOptions, asked options: RequestOptions
  ) -> NetworkError {
    guard case .buffered(let limit) = options.delivery, case .buffered(let raised) = raised.delivery,
      error.kind == .bodyTooLarge(limit: Int64(raised))
    else { return error }
    var error = error
    let known = NetworkError.bodyTooLarge(limit: Int64(limit))
    (error.kind, error.reason) = (known.kind, known.reason)
    return error
  }

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
    guard let transport, let coding = transport.contentCoding, transport.bytes.received > 0 else { return }
    try check(count, from: transport.bytes.received, coding)
  }

  /// Checks the number of decoded bytes against that of the received ones.
  private func check(_ count: Int, from received: Int64, _ coding: ContentCoding) throws(NetworkError) {
    guard let ratio, count > ratioFloor else { return }
    let (product, isHuge) = received.multipliedReportingOverflow(by: Int64(max(ratio, 1)))
    let allowed = max(isHuge ? .max : product, Int64(ratioFloor))
    guard Int64(count) > allowed else { return }
    throw NetworkError(
      .bodyTooLarge(limit: allowed),
      "\(received) bytes of \(coding.name) decoded to \(count), "
        + "a ratio above \(ratio):1; raise ResponseLimits(ratio:) if you trust the server.",
      requestMayHaveBeenProcessed: true)
  }

  /// Returns the content of coded bytes in memory.
  ///
  /// Each step decodes at most 64 KiB, after a check for cancellation and before one of the limits.
  func content(
    of coded: [UInt8], _ decoding: ContentDecoding, upTo limit: Int, _ fault: DecodingFault
  ) throws(NetworkError) -> [UInt8] {
    var (content, rest): ([UInt8], ArraySlice<UInt8>) = ([], coded[...])
    while !rest.isEmpty || decoding.hasMore {
      guard !Task.isCancelled else { throw NetworkError(.cancelled(.task), "The request was cancelled.") }
      guard let consumed = decoding.decode(rest, appendingTo: &content) else { throw fault.broken }
      rest = rest.dropFirst(consumed)
      guard content.count <= limit else { throw .bodyTooLarge(limit: Int64(limit)) }
      try check(content.count, from: Int64(coded.count), decoding.coding)
    }
    guard decoding.isComplete else { throw fault.truncated }
    return content
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
