import HTTPTypes
import Interception

extension StoredResponse {
  /// Returns part of the response as a 206 (RFC 9111, section 3.4); nil if it has no such part.
  ///
  /// Only a 200 whose `Content-Length` equals the number of stored bytes has parts: for content that the
  /// dispatcher decoded, the server's byte positions are unknown.
  func part(_ range: ByteRange, age: Duration?, exchange: Exchange) -> Response? {
    guard head.status == .ok, head.headerFields[.contentLength].flatMap({ Int($0) }) == body.count,
      let bounds = range.bounds(in: body.count)
    else { return nil }
    var head = response(age: age, exchange: exchange).head
    head.status = .partialContent
    head.headerFields[.contentLength] = String(bounds.count)
    head.headerFields[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(body.count)"
    // Trailers would describe the whole content.
    return Response(head, body: .bytes(Array(body[bounds])), exchange: exchange)
  }
}
