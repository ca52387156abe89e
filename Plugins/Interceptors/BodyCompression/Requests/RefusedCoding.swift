import ContentCodings
import HTTPTypes
import Interception

/// A response that refuses a compressed body, so that it is worthwhile to send the body uncompressed.
struct RefusedCoding: Hashable {
  /// The codings that are not to be used for the resource.
  let codings: [ContentCoding]
  /// Whether the response names the coding as its reason.
  let isCertain: Bool

  /// Reads a response; nil if it refuses nothing, or excludes uncompressed content too.
  ///
  /// - Parameter isStream: Whether the body was sent without a length.
  init?(_ coding: ContentCoding, by head: HTTPResponse, isStream: Bool) {
    switch head.status.code {
    case 415:
      let field = head.headerFields.value(of: .acceptEncoding)
      if let field, !AcceptEncoding(field).acceptsIdentity { return nil }
      // Without the field the reason may also be the media type (RFC 9110, section 15.5.16).
      self.init(codings: [coding], isCertain: field != nil)
    case 411 where isStream:
      // The server requires a length, which no compressed stream has.
      self.init(codings: ContentCoding.encodable, isCertain: true)
    default: return nil
    }
  }

  private init(codings: [ContentCoding], isCertain: Bool) {
    self.codings = codings
    self.isCertain = isCertain
  }
}
