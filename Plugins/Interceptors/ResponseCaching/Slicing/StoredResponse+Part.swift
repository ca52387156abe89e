import HTTPTypes
import Interception

extension StoredResponse {
  /// A part of the answer as a 206, RFC 9111, section 3.4; nil where it has no such part.
  ///
  /// Only a 200 whose `Content-Length` is that of the stored bytes has parts: of content that the dispatcher
  /// decoded nobody knows which bytes the server would have meant.
  func part(_ range: ByteRange, age: Duration?, exchange: Exchange) -> Response? {
    guard head.status == .ok, head.headerFields[.contentLength].flatMap({ Int($0) }) == body.count,
      let bounds = range.bounds(in: body.count)
    else { return nil }
    var head = response(age: age, exchange: exchange).head
    head.status = .partialContent
    head.headerFields[.contentLength] = String(bounds.count)
    head.headerFields[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(body.count)"
    // Trailers would speak of the whole.
    return Response(head, body: .bytes(Array(body[bounds])), exchange: exchange)
  }
}
