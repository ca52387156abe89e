import CCurlShims
import CLibcurl
import HTTPTypes

/// Keeps an answer that came whole although its upload's stream was closed.
///
/// A server may answer before it has read all of the content, and close the stream afterwards; the answer
/// stands (RFC 9113, section 8.1). Where libcurl reads both at once, it fails the transfer with
/// `CURLE_HTTP2_STREAM`: nginx, for one, resets the stream with STREAM_CLOSED for content that is still on
/// its way.
///
/// Affected: 7.88 for short uploads, 8.14 for any. No upstream change is known that cures it, so nothing says
/// when this can be deleted: try it without on a newer library, with the test of what uploads do to a
/// connection.
enum RefusedUpload {
  /// Whether all of an answer came before libcurl failed its transfer.
  ///
  /// - Parameters:
  ///   - plan: The request.
  ///   - head: The answer's head.
  ///   - received: How many bytes of the answer's content came.
  ///   - decoding: What decodes them; nil where they are not coded.
  static func isWhole(
    _ head: HTTPResponse, to plan: RequestPlan, received: Int64, decoding: ContentDecoding?,
    despite code: CURLcode
  ) -> Bool {
    guard plan.hasBytes, code == CURLE_HTTP2_STREAM else { return false }
    if let decoding { return decoding.isComplete }
    // An answer without a length may be incomplete.
    return head.headerFields[.contentLength] == String(received)
  }
}
