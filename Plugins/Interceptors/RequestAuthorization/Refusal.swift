public import HTTPTypes
import Interception

/// A response that refuses a request's credentials, or requires some.
public struct Refusal: Sendable {
  /// The credentials of the refused request; nil if it had none.
  public let sent: Credentials?
  /// The status and fields of the response.
  public let head: HTTPResponse

  /// Creates a refusal.
  package init(of sent: Credentials?, head: HTTPResponse) {
    self.sent = sent
    self.head = head
  }

  /// The challenges of the `WWW-Authenticate` fields (RFC 9110, section 11.6.1), in order.
  ///
  /// At most 32 challenges with at most 32 parameters each are read, from the first 16 KiB of the fields.
  /// Parameters may be separated by spaces, and values may lack their quotes. A challenge that is malformed
  /// in another way is omitted, together with the remainder of its field.
  package var challenges: [Challenge] {
    Challenge.list(head.headerFields[fields: .wwwAuthenticate])
  }
}
