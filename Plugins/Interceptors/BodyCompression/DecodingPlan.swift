import ContentCodings
import HTTPTypes
import Interception

/// What is done with the coding of a response's content; a pure function of its head.
enum DecodingPlan: Hashable {
  /// It is delivered as it was sent: there is no content or no coding, or only a part of coded content.
  case asSent
  /// It is decoded; the codings are in the order in which they were applied.
  case decode([String])
  /// The response is refused, because its codings can't be decoded.
  case refuse([String])

  /// Creates the plan for a response.
  ///
  /// - Parameter method: The method of the request.
  init(for head: HTTPResponse, to method: HTTPRequest.Method) {
    let codings = head.headerFields.contentCodings
    switch head.status.code {
    // Without content (RFC 9110, section 6.4.1), the field describes the content of another response.
    case 100..<200, 204, 304: self = .asSent
    // A part of coded content can't be decoded by itself.
    case 206: self = .asSent
    case _ where method == .head || codings.isEmpty: self = .asSent
    default:
      let isKnown = codings.allSatisfy { ContentCoding.decodable.contains(ContentCoding($0)) }
      self = isKnown && codings.count <= ContentDecoding.maximumCodings ? .decode(codings) : .refuse(codings)
    }
  }
}
