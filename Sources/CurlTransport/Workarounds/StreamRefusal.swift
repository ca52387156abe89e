import CCurlShims
import CLibcurl

/// Recognizes that a server has refused a request over HTTP/2 before it processed it.
///
/// A server refuses a stream with RST_STREAM of REFUSED_STREAM (RFC 9113, section 8.7), by GOAWAY with the
/// identifier of an earlier stream (section 6.8), which nghttp2 reports in the same way, or with
/// HTTP_1_1_REQUIRED. libcurl sends such a request again by itself, as it does when a reused connection turns
/// out dead, and tells the two apart nowhere. But it describes every other end of an HTTP/2 connection or
/// stream in its buffer of messages, and leaves that empty for a refusal (`http2_handle_stream_close`).
///
/// Affected: all versions to 8.14 at least. Upstream: no report is known. Delete this once libcurl has a
/// code, or a value of `curl_easy_getinfo`, for refused streams.
enum StreamRefusal {
  /// Whether a connection that is ready would show a refusal.
  static func isShown(by handle: EasyHandle, to origin: WebOrigin) -> Bool {
    // libcurl keeps the first message of a transfer, so an earlier one, such as of another address, hides it.
    origin.mayMultiplex && !handle.hasMessage && (origin.hasPriorKnowledge || handle.hasNegotiatedHTTP2)
  }

  /// Whether such a connection's stream has ended by a refusal, if it ended without a response.
  static func isMeant(by handle: EasyHandle) -> Bool {
    !handle.hasMessage || handle.message(contains: "HTTP_1_1_REQUIRED")
  }
}
