import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// An answer before content coding and conditions are applied to it.
struct Answer {
  var status: HTTPResponse.Status = .ok
  var mediaType = "application/json; charset=utf-8"
  var freshness = Freshness.never
  var fields: HTTPFields = [:]
  var bytes: [UInt8] = []

  /// An answer with a JSON body; keys are sorted, so the same facts give the same bytes and entity tag.
  static func json(
    _ value: some Encodable, status: HTTPResponse.Status = .ok, freshness: Freshness = .never,
    fields: HTTPFields = [:]
  ) throws -> Answer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Answer(
      status: status, freshness: freshness, fields: fields, bytes: [UInt8](try encoder.encode(value)))
  }

  /// The response to a request: 304 when the caller has the bytes already, gzip-coded when it is asked for
  /// and pays.
  func response(to request: Request) throws -> Response {
    let coding = codingWorthwhile(for: request)
    var fields = fields
    fields[.cacheControl] = freshness.cacheControl
    fields[.vary] = "Accept-Encoding"
    if case .aMinute = freshness, status == .ok {
      let tag = EntityTag(identityBytes: bytes, coding: coding)
      fields[.eTag] = tag.value
      let conditions = request.headers[values: .ifNoneMatch]
      if request.method == .get || request.method == .head,
        conditions.contains(where: tag.isListed)
      {
        return Response(status: .notModified, headers: fields)
      }
    }
    guard !bytes.isEmpty else { return Response(status: status, headers: fields) }
    fields[.contentType] = mediaType
    var sent = bytes
    if coding == .gzip {
      fields[.contentEncoding] = coding.rawValue
      sent = try GzipCoding.encode(bytes)
    }
    return Response(status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: sent)))
  }

  /// Below 1 KiB the coded body is hardly smaller than the packet that carries it.
  private func codingWorthwhile(for request: Request) -> ContentCoding {
    bytes.count < 1024 ? .identity : ContentCoding(acceptEncoding: request.headers[.acceptEncoding])
  }
}
