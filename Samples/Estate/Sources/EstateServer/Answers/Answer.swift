import Foundation
import HTTPServing
import HTTPTypes

/// An answer of the API before content coding and conditions are applied to it.
struct Answer {
  /// How long caches may use it; the value of `Cache-Control`.
  enum Freshness: String {
    /// For a minute, in the client's own cache; then they revalidate it by its entity tag.
    case aMinute = "private, max-age=60"
    /// For an hour, likewise.
    case anHour = "private, max-age=3600"
    /// They must not store it.
    case never = "no-store"
  }

  var status: HTTPResponse.Status = .ok
  var mediaType = "application/json; charset=utf-8"
  var freshness = Freshness.never
  var fields: HTTPFields = [:]
  var bytes: [UInt8] = []

  /// Creates an answer with a JSON body; keys are sorted, so that equal values have equal bytes and entity
  /// tags.
  static func json(
    _ value: some Encodable, status: HTTPResponse.Status = .ok, freshness: Freshness = .never,
    fields: HTTPFields = [:]
  ) throws -> Answer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Answer(
      status: status, freshness: freshness, fields: fields, bytes: [UInt8](try encoder.encode(value)))
  }

  /// The response to a request: gzip-coded if that is accepted and worthwhile, 304 if the client has the
  /// bytes.
  func response(to request: ReceivedRequest) throws(GzipFault) -> ServerResponse {
    let coding = coding(for: request)
    let body = coding == .gzip ? try GzipCoding.encode(bytes) : bytes
    var fields = fields
    fields[.cacheControl] = freshness.rawValue
    fields[.vary] = "Accept-Encoding"
    let readsOnly = request.head.method == .get || request.head.method == .head
    if freshness != .never, status == .ok {
      let tag = EntityTag(identityBytes: bytes, coding: coding)
      fields[.eTag] = tag.value
      if readsOnly, request.head.headerFields[values: .ifNoneMatch].contains(where: tag.isListed) {
        return ServerResponse(.notModified, fields: fields, body: body).withoutBody
      }
    }
    if !body.isEmpty { fields[.contentType] = mediaType }
    if coding == .gzip { fields[.contentEncoding] = coding.rawValue }
    return ServerResponse(status, fields: fields, body: body)
  }

  /// Below 1 KiB the coded body is hardly smaller than the packet that carries it; pictures are compressed
  /// already.
  private func coding(for request: ReceivedRequest) -> ContentCoding {
    bytes.count < 1024 || mediaType.hasPrefix("image/")
      ? .identity : ContentCoding(acceptEncoding: request.head.headerFields[.acceptEncoding])
  }
}
