import CCurlShims
import CLibcurl
import HTTPTypes
import Interception

/// Keeps a complete response although the stream of its upload was closed.
///
/// A server may respond before it has read all of the content, and then close the stream; the response is
/// valid (RFC 9113, section 8.1). If libcurl reads both at once, it fails the transfer with
/// `CURLE_HTTP2_STREAM`. nginx, for one, resets the stream with STREAM_CLOSED while content is on its way.
///
/// Affected: 7.88 for short uploads, 8.14 for all. No upstream fix is known; on newer libraries run the test
/// "Uploads corrupt no other response on their connection" without this.
enum RefusedUpload {
  /// Whether libcurl failed a transfer after `received` bytes, its whole response, had come.
  static func isWhole(
    _ head: HTTPResponse, to plan: RequestPlan, received: Int64, despite code: CURLcode
  ) -> Bool {
    guard plan.hasBytes, code == CURLE_HTTP2_STREAM else { return false }
    // A response without a length may be incomplete.
    return head.headerFields.contentLength == received
  }
}
