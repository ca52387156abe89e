import HTTPTypes
import Interception

/// The transfer of a resource, within the limits of a loader.
struct ResourceTransfer: Sendable {
  private let request: Request
  /// The maximum length of the content, in bytes.
  private let limit: Int
  /// Whether a caller waits for it.
  let isVisible: Bool
  /// Whether the number of bytes is reported, for which the response is streamed.
  ///
  /// Otherwise it is buffered, because a chain sends a request again if its buffered response is interrupted.
  private let isMetered: Bool

  /// Creates the transfer of a request within the limit of its key.
  init(_ request: Request, of key: ResourceKey, isVisible: Bool, isMetered: Bool) {
    (limit, self.isVisible, self.isMetered) = (key.byteLimit, isVisible, isMetered)
    var request = request
    request.options.delivery = isMetered ? .streamed : .buffered(upTo: limit)
    if isMetered { request.options.streamLimit = Int64(limit) }
    if !isVisible { request.options.priority = min(request.options.priority, .low) }
    self.request = request
  }

  /// Sends the request, and returns the content of its response.
  func content(
    over dispatcher: any Dispatcher, reportingTo report: (TransferMeter.Progress) -> Void
  ) async throws(ResourceError) -> ResourceContent {
    let response: Response
    let bytes: [UInt8]
    do throws(NetworkError) {
      response = try await dispatcher.dispatch(request)
      // The content of an error is none of the resource, and is not read.
      bytes = isWhole(response) ? try await self.bytes(of: response.body, report) : []
    } catch {
      throw ResourceError(.network(error), of: request)
    }
    guard isWhole(response) else { throw ResourceError(.status(response.status), of: request) }
    guard !bytes.isEmpty else { throw ResourceError(.empty, of: request) }
    let directives = response.head.headerFields.members(of: .cacheControl)
    return ResourceContent(
      bytes: bytes, isStorable: !directives.contains { $0.lowercased() == "no-store" })
  }

  private func isWhole(_ response: Response) -> Bool {
    response.status.kind == .successful && response.status != .partialContent
  }

  private func bytes(
    of body: ResponseBody, _ report: (TransferMeter.Progress) -> Void
  ) async throws(NetworkError) -> [UInt8] {
    // A dispatcher may return bytes for a streamed response, and an inner interceptor a stream for a buffered
    // one.
    guard case .stream(let stream) = body, isMetered else {
      return try await body.collect(upTo: limit)
    }
    let limit = Int64(limit)
    if let length = stream.length, length > limit { throw NetworkError.bodyTooLarge(limit: limit) }
    // Its limit cancels the transfer; so does the release of the source after another error.
    let source = LimitedByteSource(try stream.claim(), limit: limit)
    var bytes: [UInt8] = []
    while let chunk = try await source.read() {
      bytes += chunk
      report(TransferMeter.Progress(.download, bytes: Int64(bytes.count), total: stream.length))
    }
    return bytes
  }
}

extension ResourceContent {
  /// Decodes the content to a size, unless it has more pixels than allowed.
  func decoded<Decoder: ResourceDecoder>(
    by decoder: Decoder, to shown: PixelSize?, of request: Request, within limits: ResourceLimits
  ) throws(ResourceError) -> DecodedResource<Decoder.Value> {
    let size: PixelSize?
    do { size = try decoder.measure(bytes) } catch { throw ResourceError(.undecodable(error), of: request) }
    if let size {
      guard size.isValid else { throw ResourceError(.invalidSize(size), of: request) }
      guard size.hasAtMost(limits.pixels) else {
        throw ResourceError(.tooManyPixels(size, limit: limits.pixels), of: request)
      }
    }
    do { return try decoder.decode(bytes, to: shown) } catch {
      throw ResourceError(.undecodable(error), of: request)
    }
  }
}
